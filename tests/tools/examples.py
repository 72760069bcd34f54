"""The number of examples that a property test tries, in proportion to the profile of hypothesis."""

from hypothesis import settings


def try_times(factor: float) -> settings:
    """Return settings for this many times the examples of the profile, for cheap tests of much.

    The profile `thorough` so tries more of them, too.
    """
    return settings(max_examples=round(factor * settings.default.max_examples), deadline=None)
