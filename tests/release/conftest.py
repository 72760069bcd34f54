import pytest

from tests.tools.make_release import ByName


@pytest.fixture
def comparer():
    """Sees what faces are called, and needs no rendering."""
    return ByName()
