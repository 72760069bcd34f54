"""The number of examples that a property test tries, in proportion to the profile of hypothesis."""

from hypothesis import settings


def try_times(factor: float) -> settings:
    """Return settings for this many times the examples of the profile.

    For tests whose examples are cheap and differ much; the profile `thorough` tries more of them.
    """
    return settings(max_examples=round(factor * settings.default.max_examples), deadline=None)
