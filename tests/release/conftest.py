import pytest
from made_releases import ByName


@pytest.fixture
def sight():
    """Sees what faces are called, and needs no rendering."""
    return ByName()
