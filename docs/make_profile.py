"""Writes the press profiles that come with the program: coated and uncoated paper in offset, by a model.

`python docs/make_profile.py [coated|uncoated]`. The sixteen overprints of the four inks have the colours that ISO
12647-2 aims at for coated paper (solids of C, M, Y and K, their overprints, and the paper), and on uncoated paper
duller ones; what lies over black is the product of the two. Halftones are mixed of them by Neugebauer's equations
with Yule and Nielsen's n = 2. The way back is solved for each colour of a grid: the nearest colour, then as little
ink as does it, never more than 240 % in all, black in the shadows and none in lights. Nothing was measured. Made by
this project and free for any use (CC0).
"""

import struct
import sys
from itertools import product
from pathlib import Path

import numpy as np

KIND = sys.argv[1] if len(sys.argv) > 1 else "coated"
FILE = Path(__file__).parent.parent / "generator" / "pdf" / "press" / f"pnp-{KIND}.icc"
LIMIT = 2.4
D50 = np.array([0.9642, 1.0, 0.8249])
STOCKS = {
    "coated": {
        "paper": (95.0, 0.0, -2.0),
        "k": (16.0, 0.0, 0.0),
        "c": (55.0, -37.0, -50.0),
        "m": (48.0, 74.0, -3.0),
        "y": (89.0, -5.0, 93.0),
        "my": (47.0, 68.0, 48.0),
        "cy": (50.0, -65.0, 27.0),
        "cm": (24.0, 22.0, -46.0),
        "cmy": (23.0, 0.0, 0.0),
    },
    "uncoated": {
        "paper": (92.0, 0.0, -3.0),
        "k": (31.0, 1.0, 1.0),
        "c": (60.0, -25.0, -44.0),
        "m": (56.0, 61.0, -2.0),
        "y": (89.0, -3.0, 76.0),
        "my": (54.0, 55.0, 26.0),
        "cy": (53.0, -43.0, 14.0),
        "cm": (39.0, 9.0, -30.0),
        "cmy": (35.0, 0.0, -3.0),
    },
}
INKS = STOCKS[KIND]
PAPER, BLACK = INKS["paper"], INKS["k"]
SOLIDS = {
    (c, m, y): INKS["c" * c + "m" * m + "y" * y or "paper"]
    for c in (0, 1)
    for m in (0, 1)
    for y in (0, 1)
}
"""The paper, the inks and their overprints, in CIELAB."""

FORTH, BACK = 9, 25
"""Grid points a side of the two tables."""


def to_xyz(lab):
    lab = np.asarray(lab, float)
    y = (lab[..., 0] + 16) / 116
    f = np.stack([y + lab[..., 1] / 500, y, y - lab[..., 2] / 200], -1)
    return np.where(f > 6 / 29, f**3, 3 * (6 / 29) ** 2 * (f - 4 / 29)) * D50


def to_lab(xyz):
    t = xyz / D50
    f = np.where(t > (6 / 29) ** 3, np.cbrt(np.maximum(t, 1e-9)), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack(
        [116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1
    )


CORNERS = np.array(list(product((0, 1), repeat=4)))
PRIMARIES = np.array(
    [
        to_xyz(SOLIDS[tuple(map(int, corner[:3]))])
        * (to_xyz(BLACK) / to_xyz(PAPER) if corner[3] else 1.0)
        for corner in CORNERS
    ]
)


def printed(cmyk):
    """Return the colour of inks (0 to 1) on the paper, as CIELAB relative to the paper's white."""
    cmyk = np.asarray(cmyk, float)[..., None, :]
    shares = np.where(CORNERS, cmyk, 1 - cmyk).prod(-1)
    xyz = (shares @ np.sqrt(PRIMARIES)) ** 2
    return to_lab(xyz * D50 / to_xyz(PAPER))


def _faults(cmyk, lab):
    """Return the penalties of inks for a colour: the difference, ink, black in lights, and ink above the limit."""
    light = (lab[:, 0] / 100) ** 2
    parts = [printed(cmyk) - lab, 0.6 * cmyk[:, :3], 8 * (cmyk[:, 3] * light)[:, None]]
    over = 60 * np.maximum(0, cmyk.sum(1) - LIMIT)
    return np.concatenate([*parts, over[:, None]], 1)


def inks(lab, rounds=60, step=1e-4):
    """Return the inks for colours by the Levenberg-Marquardt method."""
    cmyk, damp = np.full((len(lab), 4), 0.35), np.full(len(lab), 1.0)
    cmyk[:, 3] = np.clip(1 - lab[:, 0] / 70, 0, 1)
    faults = _faults(cmyk, lab)
    for _ in range(rounds):
        slope = np.stack(
            [(_faults(cmyk + step * np.eye(4)[n], lab) - faults) / step for n in range(4)], 2
        )
        square = slope.transpose(0, 2, 1) @ slope + damp[:, None, None] * np.eye(4)
        move = np.linalg.solve(square, (slope.transpose(0, 2, 1) @ faults[:, :, None]))[:, :, 0]
        tried = np.clip(cmyk - move, 0, 1)
        new = _faults(tried, lab)
        better = (new**2).sum(1) < (faults**2).sum(1)
        cmyk, faults = (
            np.where(better[:, None], tried, cmyk),
            np.where(better[:, None], new, faults),
        )
        damp = np.clip(np.where(better, damp / 3, damp * 4), 1e-3, 1e7)
    colours = (
        cmyk[:, :3]
        * np.minimum(1, (LIMIT - cmyk[:, 3]) / np.maximum(1e-9, cmyk[:, :3].sum(1)))[:, None]
    )
    return np.concatenate([colours, cmyk[:, 3:]], 1)


def _lab_codes(lab):
    """CIELAB as the second version of ICC's tables writes it in sixteen bits."""
    return np.clip(
        np.round(
            np.stack(
                [lab[..., 0] * 652.8, (lab[..., 1] + 128) * 256, (lab[..., 2] + 128) * 256], -1
            )
        ),
        0,
        65535,
    )


def _table(inputs, outputs, points, codes):
    """Return an `mft2` tag: straight curves around a grid."""
    head = struct.pack(
        ">4s4xBBBx9iHH",
        b"mft2",
        inputs,
        outputs,
        points,
        *(65536 if n % 4 == 0 else 0 for n in range(9)),
        2,
        2,
    )
    return (
        head
        + struct.pack(">HH", 0, 65535) * inputs
        + codes.astype(">u2").tobytes()
        + struct.pack(">HH", 0, 65535) * outputs
    )


def _text(kind, text):
    if kind == b"text":
        return b"text\0\0\0\0" + text.encode() + b"\0"
    return struct.pack(">4s4xI", b"desc", len(text) + 1) + text.encode() + b"\0" + bytes(8 + 3 + 67)


def _xyz(value):
    return struct.pack(">4s4x3i", b"XYZ ", *(round(part * 65536) for part in value))


def profile():
    forth = np.array(list(product(np.linspace(0, 1, FORTH), repeat=4)))
    codes = np.array(list(product(np.linspace(0, 65535, BACK), repeat=3)))
    lab = np.stack([codes[:, 0] / 652.8, codes[:, 1] / 256 - 128, codes[:, 2] / 256 - 128], -1)
    there = _table(4, 3, FORTH, _lab_codes(printed(forth)))
    back = _table(3, 4, BACK, np.round(inks(lab) * 65535))
    tags = {
        b"desc": _text(b"desc", f"pnp {KIND}, 240 % ink"),
        b"cprt": _text(b"text", "Made by a model for the pnp project; CC0, free for any use"),
        b"wtpt": _xyz(to_xyz(PAPER)),
        **dict.fromkeys((b"A2B0", b"A2B1", b"A2B2"), there),
        **dict.fromkeys((b"B2A0", b"B2A1", b"B2A2"), back),
    }
    return _bound(tags)


def _bound(tags):
    start = 128 + 4 + 12 * len(tags)
    body, places, rows = b"", {}, b""
    for name, data in tags.items():
        if data not in places:
            places[data] = start + len(body)
            body += data + bytes(-len(data) % 4)
        rows += struct.pack(">4sII", name, places[data], len(data))
    head = struct.pack(
        ">I4sI4s4s4s6H4s",
        start + len(body),
        b"\0\0\0\0",
        0x02400000,
        b"prtr",
        b"CMYK",
        b"Lab ",
        2026,
        1,
        1,
        0,
        0,
        0,
        b"acsp",
    )
    head += bytes(128 - len(head) - 60) + struct.pack(">3i", *(round(part * 65536) for part in D50))
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + rows + body


if __name__ == "__main__":
    FILE.write_bytes(profile())
