"""The number of examples that a property test tries, in proportion to the profile of hypothesis."""

from hypothesis import settings


def try_times(factor: float) -> settings:
    """Return settings with the profile's number of examples times a factor.

    Use a factor below 1 for slow examples, and above 1 if only many examples cover all cases.
    """
    return settings(max_examples=round(factor * settings.default.max_examples), deadline=None)
