"""The number of examples that a property test tries, in proportion to the profile of hypothesis."""

from hypothesis import settings


def try_times(factor: float) -> settings:
    """Return settings for this many times the examples of the profile.

    Few of them suit tests whose examples take long, many suit those whose examples differ much. The
    profile `thorough` tries more of all.
    """
    return settings(max_examples=round(factor * settings.default.max_examples), deadline=None)
