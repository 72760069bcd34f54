"""Nothing but the fill."""

from __future__ import annotations

from generator.draw.links.body import Body
from generator.draw.links.primitives import Primitive
from generator.pack.game import LinkStyle


def solid(_body: Body, _style: LinkStyle) -> tuple[Primitive, ...]:
    """No shapes."""
    return ()
