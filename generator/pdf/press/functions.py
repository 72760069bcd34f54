"""Evaluate PDF functions of gradients, and replace them by tables of inks."""

import zlib
from collections.abc import Callable, Sequence

import pikepdf

from generator.core.problems import Wrong

# Entries of a table: one for each level of an 8-bit image.
SAMPLE_COUNT = 256

# A function from a colour to inks.
ColourToInks = Callable[[list[float]], tuple[float, ...]]


def value(function: pikepdf.Object, x: float) -> list[float]:
    """Return the values of a function, or of an array of functions, at x; raise `Wrong` for other types."""
    if isinstance(function, pikepdf.Array):
        return [part for each in function for part in value(each, x)]
    low, high = (float(end) for end in function.Domain)
    x = min(high, max(low, x))
    kind = int(function.FunctionType)
    if kind == 2:
        first = [float(part) for part in function.get("/C0", [0.0])]
        last = [float(part) for part in function.get("/C1", [1.0])]
        return [a + x ** float(function.N) * (b - a) for a, b in zip(first, last, strict=True)]
    if kind == 3:
        return _stitched(function, x, (low, high))
    if kind == 0 and int(function.BitsPerSample) in {8, 16} and len(function.Size) == 1:
        return _sampled(function, (x - low) / (high - low or 1))
    raise Wrong(
        f"a gradient by a function of kind {kind} cannot be converted to inks",
        "a gradient of colour stops, or a picture",
    )


def _stitched(function: pikepdf.Object, x: float, domain: tuple[float, float]) -> list[float]:
    edges = [domain[0], *(float(edge) for edge in function.Bounds), domain[1]]
    index = max(n for n in range(len(edges) - 1) if n == 0 or edges[n] <= x)
    start, end = (float(function.Encode[2 * index + side]) for side in (0, 1))
    share = (x - edges[index]) / (edges[index + 1] - edges[index] or 1)
    return value(function.Functions[index], start + share * (end - start))


def _sampled(function: pikepdf.Object, share: float) -> list[float]:
    count = int(function.Size[0])
    width = int(function.BitsPerSample) // 8
    ends = [float(end) for end in function.get("/Decode", function.Range)]
    parts = len(ends) // 2
    data = function.read_bytes()
    at = share * (count - 1)

    def sample(index: int, part: int) -> float:
        start = (index * parts + part) * width
        return float(int.from_bytes(data[start : start + width], "big")) / float(256**width - 1)

    def between(part: int) -> float:
        one = int(at)
        two = min(count - 1, int(at) + 1)
        level = sample(one, part) + (at - one) * (sample(two, part) - sample(one, part))
        return ends[2 * part] + level * (ends[2 * part + 1] - ends[2 * part])

    return [between(part) for part in range(parts)]


def ink_function(pdf: pikepdf.Pdf, function: pikepdf.Object, ends: Sequence[float], of: ColourToInks) -> pikepdf.Object:
    """Return a gradient between two places as a sampled function of inks (ISO 32000-1, 7.10.2)."""
    low, high = ends
    levels = [of(value(function, low + (high - low) * n / (SAMPLE_COUNT - 1))) for n in range(SAMPLE_COUNT)]
    made = pikepdf.Stream(pdf, b"")
    data = bytes(round(255 * part) for inks in levels for part in inks)
    made.write(zlib.compress(data), filter=pikepdf.Name.FlateDecode)
    made.FunctionType = 0
    made.Domain = pikepdf.Array([low, high])
    made.Range = pikepdf.Array([0, 1] * len(levels[0]))
    made.Size = pikepdf.Array([SAMPLE_COUNT])
    made.BitsPerSample = 8
    return pdf.make_indirect(made)
