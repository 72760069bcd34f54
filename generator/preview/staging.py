"""Pictures of pieces as things: a fan, a stack, a table seen from its side, a card that turns, a box.

All takes pictures of faces with alpha, in pixels, and gives one without, on the colour of the ground.
"""

from collections.abc import Iterator, Sequence
from math import ceil, cos, pi, radians, sin, sqrt

from PIL import Image, ImageChops, ImageFilter

Spot = tuple[float, float]
Quad = tuple[Spot, Spot, Spot, Spot]
"""Where the corners of a picture go: top left, top right, bottom right, bottom left."""

GROUND = (233, 230, 223)
SHADE = 90
"""How dark a shadow is, of 255."""

FINER = 2
"""How much larger slanted pictures are drawn before they are made small: their edges come out smooth."""

FAN = 7
SPREAD = 60
"""Cards of a fan, and the degrees from the first to the last."""

FRAMES = 24
TICK = 60
"""Pictures of a turn, and the milliseconds of each."""


def fan(cards: Sequence[Image.Image]) -> Image.Image:
    """Cards as a hand holds them."""
    shown = cards[:FAN]
    h = shown[0].height
    side = int(h * 2.4)
    pivot = (h * 1.2, h * 1.75)
    ground = _ground((side, int(h * 1.75)))
    for nth, card in enumerate(shown):
        angle = SPREAD * (nth / (len(shown) - 1) - 0.5) if len(shown) > 1 else 0.0
        turned = card.convert("RGBA").rotate(-angle, Image.Resampling.BICUBIC, expand=True)
        away = h * 0.95
        x = pivot[0] + away * sin(radians(angle))
        y = pivot[1] - away * cos(radians(angle))
        _put(ground, turned, (round(x - turned.width / 2), round(y - turned.height / 2)))
    return ground


def stack(top: Image.Image, below: Image.Image, count: int) -> Image.Image:
    """A pile of so many cards, the upper one beside it, seen a little from above."""
    w, h = top.size
    ground = _ground((int(w * 2.7), int(h * 1.3)))
    for nth in range(min(30, max(2, count))):
        _put(ground, below.convert("RGBA"), (round(w * 0.25), round(h * 0.2 - nth * h / 300)), shade=nth == 0)
    _put(ground, top.convert("RGBA"), (round(w * 1.45), round(h * 0.15)))
    return ground


def table(cards: Sequence[Image.Image], columns: int) -> Image.Image:
    """Cards in rows on a table that one looks along."""
    w, h = cards[0].size
    gap = w // 10
    rows = ceil(len(cards) / columns)
    flat = Image.new("RGBA", (columns * (w + gap) + gap, rows * (h + gap) + gap), (*GROUND, 0))
    for nth, card in enumerate(cards):
        flat.paste(card, (gap + nth % columns * (w + gap), gap + nth // columns * (h + gap)), card.convert("RGBA"))
    across = 1600
    down = round(across * min(1.4, flat.height / flat.width) * 0.62)
    quad = ((across * 0.17, 0.0), (across * 0.83, 0.0), (float(across), float(down)), (0.0, float(down)))
    ground = _ground((int(across * 1.04), int(down * 1.06)))
    _put(ground, slanted(flat, quad, (across, down)), (int(across * 0.02), int(down * 0.03)))
    return ground


def turning(front: Image.Image, back: Image.Image) -> Iterator[Image.Image]:
    """A card that turns about its upright middle, once round, picture by picture."""
    w, h = front.size
    for nth in range(FRAMES):
        angle = 2 * pi * nth / FRAMES
        face, wide = (front, cos(angle)) if cos(angle) >= 0 else (back, -cos(angle))
        lean = sin(angle) * h * 0.05 * (1 if cos(angle) >= 0 else -1)
        half = max(1.0, w * wide / 2)
        left = w * 0.6 - half
        right = w * 0.6 + half
        top = h * 0.1
        foot = h * 1.1
        corners = ((left, top - lean), (right, top + lean), (right, foot - lean), (left, foot + lean))
        ground = _ground((int(w * 1.2), int(h * 1.2)))
        _put(ground, slanted(face, corners, ground.size), (0, 0))
        yield ground


def box(front: Image.Image, right: Image.Image, top: Image.Image) -> Image.Image:
    """A box from its three sides that one sees, in parallel perspective."""
    (w, h), deep = front.size, right.width
    run = deep * 0.75
    rise = deep * 0.4
    x = w * 0.2
    y = w * 0.2 + rise
    size = (int(w * 1.4 + run), int(h + w * 0.4 + rise))
    sides: tuple[tuple[Image.Image, Quad, int], ...] = (
        (front, ((x, y), (x + w, y), (x + w, y + h), (x, y + h)), 0),
        (right, ((x + w, y), (x + w + run, y - rise), (x + w + run, y + h - rise), (x + w, y + h)), 70),
        (top, ((x + run, y - rise), (x + w + run, y - rise), (x + w, y), (x, y)), 25),
    )
    whole = Image.new("RGBA", size, (*GROUND, 0))
    for image, quad, dark in sides:
        shaded = Image.blend(image.convert("RGB"), Image.new("RGB", image.size), dark / 255)
        whole.alpha_composite(slanted(shaded, quad, size))
    ground = _ground(size)
    _put(ground, whole, (0, 0))
    return ground


def slanted(image: Image.Image, quad: Quad, size: tuple[int, int]) -> Image.Image:
    """A picture whose corners lie where they are told, on nothing of a size."""
    fine = (size[0] * FINER, size[1] * FINER)
    scaled = [(x * FINER, y * FINER) for x, y in quad]
    way = _back(scaled, image.size)
    made = image.convert("RGBA").transform(fine, Image.Transform.PERSPECTIVE, way, Image.Resampling.BICUBIC)
    return made.resize(size, Image.Resampling.LANCZOS)


def _back(quad: Sequence[Spot], size: tuple[int, int]) -> tuple[float, ...]:
    """From places in a slanted picture to those in the straight one, as Pillow's eight numbers (Heckbert's way)."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad
    dx1 = x1 - x2
    dx2 = x3 - x2
    dx3 = x0 - x1 + x2 - x3
    dy1 = y1 - y2
    dy2 = y3 - y2
    dy3 = y0 - y1 + y2 - y3
    under = dx1 * dy2 - dx2 * dy1
    g = (dx3 * dy2 - dx2 * dy3) / under
    h = (dx1 * dy3 - dx3 * dy1) / under
    a = x1 - x0 + g * x1
    b = x3 - x0 + h * x3
    c = x0
    d = y1 - y0 + g * y1
    e = y3 - y0 + h * y3
    f = y0
    last = a * e - b * d
    across = [(e - f * h) / last, (c * h - b) / last, (b * f - c * e) / last]
    down = [(f * g - d) / last, (a - c * g) / last, (c * d - a * f) / last]
    share = [(d * h - e * g) / last, (b * g - a * h) / last]
    return (*(size[0] * part for part in across), *(size[1] * part for part in down), *share)


def _ground(size: tuple[int, int]) -> Image.Image:
    return Image.new("RGB", size, GROUND)


def _put(ground: Image.Image, image: Image.Image, at: tuple[int, int], *, shade: bool = True) -> None:
    """A picture on the ground, with a soft shadow to its lower right."""
    mask = image.getchannel("A")
    if shade:
        soft = max(2, round(sqrt(image.width * image.height) / 90))
        whole = Image.new("L", ground.size)
        whole.paste(mask, (at[0] + soft, at[1] + soft))
        shadow = whole.filter(ImageFilter.GaussianBlur(soft)).point(lambda level: level * SHADE // 255)
        ground.paste(ImageChops.multiply(ground, Image.new("RGB", ground.size, (60, 55, 50))), mask=shadow)
    ground.paste(image, at, mask)
