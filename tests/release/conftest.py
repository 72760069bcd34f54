"""Fixtures of release tests."""

import pytest

from tests.tools.make_release import ByName


@pytest.fixture
def comparer():
    """Return a comparer that compares the names of faces and renders nothing."""
    return ByName()
