import pytest
from made_releases import ByName


@pytest.fixture
def comparer():
    """Sees what faces are called, and needs no rendering."""
    return ByName()
