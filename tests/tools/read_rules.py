"""Read the rules of a pack without our code."""

import re


def shown_figures(markdown: str) -> list[str]:
    """Return the names of the figures in rules, in their order."""
    panels = "".join(
        re.findall(r"^::: (?:figures|yes-no)\n(.*?)^:::", markdown, re.MULTILINE | re.DOTALL)
    )
    single = re.findall(r"^::: figure ([\w-]+)", markdown, re.MULTILINE)
    return single + re.findall(r"^- (?:(?:yes|no): )?([\w-]+)", panels, re.MULTILINE)
