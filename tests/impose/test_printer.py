"""Test the correction of a printer: measured with the calibration sheet, stored and applied.

The error is computed independently here.
"""

import math

import pypdfium2
import pytest

from generator.base.geometry import Point, Size
from generator.impose.printer import Profile, compute_shift_and_turn
from tests.tools.read_pdf import MM, read

FLIP = "tests/data/packs/flip"
SHEETS = ("--what", "sheets")
SPAN = 120


def map_page_to_paper(page, x=0.0, y=0.0, turn=0.0, across=100.0, down=100.0):
    """Return a function that maps a place on the page to the place of its ink on paper."""

    def put(p):
        u = (p[0] - page.width / 2) * across / 100
        v = (p[1] - page.height / 2) * down / 100
        c = math.cos(math.radians(turn))
        s = math.sin(math.radians(turn))
        return page.width / 2 + c * u - s * v + x, page.height / 2 + s * u + c * v + y

    return put


FAULTS = [
    {"x": 0.8, "y": -0.4},
    {"turn": 0.7},
    {"across": 99.2, "down": 100.6},
    {"x": -1.3, "y": 2.1, "turn": -1.2, "across": 98.7, "down": 99.1},
]


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path / "config"))
    return tmp_path / "config"


def add_printer(pnp, name, fault, *more):
    f = {"x": 0, "y": 0, "turn": 0, "across": 100, "down": 100} | fault
    result = pnp(
        "printer", "add", name, "--offset", f"{f['x']} {f['y']}", "--turn", f["turn"],
        "--bars", f"{f['across']} {f['down']}", *more,
    )  # fmt: skip
    assert result.exit_code == 0, result.output


def corners(form):
    """Return two points of a face, its middle and its upper end, which also reveal a turn."""
    return (form.x, form.y), form.tip


def largest_error(pages, turned, back_fault, front_fault):
    """Return the largest distance on paper between a place of a back and that of its front."""
    distances = []
    for front, back in zip(pages[0::2], pages[1::2], strict=True):
        there = [[front_fault(front)(place) for place in corners(form)] for form in front.forms]
        for form in back.forms:
            here = [turned(back, back_fault(back)(place)) for place in corners(form)]
            distances.append(min(max(map(math.dist, here, other)) for other in there))
    return max(distances)


def over_the_long_edge(page, p):
    return (page.width - p[0], p[1]) if page.height >= page.width else (p[0], page.height - p[1])


def no_error(page):
    return lambda p: p


@pytest.mark.parametrize("orientation", ["--portrait", "--landscape"])
@pytest.mark.parametrize("fault", FAULTS)
def test_profile_corrects_backs_of_a_printer_with_an_error(
    pnp, settings, tmp_path, fault, orientation
):
    add_printer(pnp, "office", fault, orientation)
    for printer, least, most in (((), 0.3, 9), (("--printer", "office"), 0, 0.05)):
        assert (
            pnp(
                "build", FLIP, *SHEETS, "-o", tmp_path, "--paper", "a4", orientation, *printer
            ).exit_code
            == 0
        )
        name = (
            "flip-1-sheets-a4.pdf"
            if orientation == "--portrait"
            else "flip-1-sheets-a4-landscape.pdf"
        )
        pages = read(tmp_path / "flip" / name)
        off = largest_error(
            pages, over_the_long_edge, lambda page: map_page_to_paper(page, **fault), no_error
        )
        assert least <= off <= most


@pytest.mark.parametrize("fault", FAULTS)
def test_profile_corrects_both_sides_of_a_printer_with_an_error(pnp, settings, tmp_path, fault):
    """Each corrected piece is printed at its place in the file without a profile."""
    add_printer(pnp, "office", fault, "--sides", "both")
    assert pnp("build", FLIP, *SHEETS, "-o", tmp_path / "true", "--paper", "a4").exit_code == 0
    assert (
        pnp(
            "build",
            FLIP,
            *SHEETS,
            "-o",
            tmp_path / "undone",
            "--paper",
            "a4",
            "--printer",
            "office",
        ).exit_code
        == 0
    )
    expected, corrected = (
        read(tmp_path / name / "flip" / "flip-1-sheets-a4.pdf") for name in ("true", "undone")
    )
    for page, other in zip(expected, corrected, strict=True):
        for form, moved in zip(page.forms, other.forms, strict=True):
            for place, there in zip(corners(form), corners(moved), strict=True):
                assert math.dist(map_page_to_paper(other, **fault)(there), place) <= 0.05


@pytest.mark.parametrize("orientation", ["--portrait", "--landscape"])
@pytest.mark.parametrize("duplex", ["long-edge", "short-edge"])
def test_readings_of_the_calibration_sheet_correct_the_printer(
    pnp, settings, tmp_path, duplex, orientation
):
    """Print the sheet with an error, read its scales against the light, store and apply them."""
    fault = {"x": 2.1, "y": -1.6, "turn": 0.9, "across": 99.1, "down": 100.4}
    assert (
        pnp("calibrate", "-o", tmp_path, "--paper", "a4", "--duplex", duplex, orientation).exit_code
        == 0
    )
    (file,) = tmp_path.glob("calibration-a4*.pdf")
    front, back = read(file)
    a, b = readings_of(
        front, back, map_page_to_paper(back, **fault), duplex, places_of_letters(file)
    )
    result = pnp(
        "printer", "add", "mine", "--a", "{} {}".format(*a), "--b", "{} {}".format(*b), "--bars", "99.1 100.4",
        "--duplex", duplex, orientation,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    built = pnp(
        "build",
        FLIP,
        *SHEETS,
        "-o",
        tmp_path,
        "--paper",
        "a4",
        "--duplex",
        duplex,
        orientation,
        "--printer",
        "mine",
    )
    assert built.exit_code == 0, built.output
    (file,) = (tmp_path / "flip").glob("*-sheets-*.pdf")
    over = over_the_long_edge if duplex == "long-edge" else over_the_short_edge
    assert (
        largest_error(read(file), over, lambda page: map_page_to_paper(page, **fault), no_error)
        < 0.05
    )


def over_the_short_edge(page, p):
    return (p[0], page.height - p[1]) if page.height >= page.width else (page.width - p[0], p[1])


def readings_of(front, back, put, duplex, words):
    """Return the readings at A and B, where the cross of the other side meets the scales against the light."""
    over = over_the_long_edge if duplex == "long-edge" else over_the_short_edge
    reading_by_name = {}
    for name in "AB":
        crosses = [
            line
            for line in back.strokes
            if abs(math.dist((line.x1, line.y1), (line.x2, line.y2)) - 28) < 0.01
        ]
        assert len(crosses) == 4
        ends = [
            [over(back, put(end)) for end in ((line.x1, line.y1), (line.x2, line.y2))]
            for line in crosses
        ]
        near = sorted(ends, key=lambda line: math.dist(middle(line), words[name]))[:2]
        upright = next(line for line in near if abs(line[0][0] - line[1][0]) < 3)
        level = next(line for line in near if abs(line[0][1] - line[1][1]) < 3)
        scales = [
            s for s in front.strokes if abs(math.dist((s.x1, s.y1), (s.x2, s.y2)) - 12) < 0.01
        ]
        scales = sorted(
            scales, key=lambda s: math.dist(((s.x1 + s.x2) / 2, (s.y1 + s.y2) / 2), words[name])
        )[:2]
        across = next(s for s in scales if abs(s.y1 - s.y2) < 0.01)
        down = next(s for s in scales if abs(s.x1 - s.x2) < 0.01)
        reading_by_name[name] = (read_off(across, upright, 1), read_off(down, level, 0))
    return reading_by_name["A"], reading_by_name["B"]


def read_off(scale, line, axis):
    """Return the reading of a scale that runs from −6 at its start to +6 at its end."""
    (x1, y1), (x2, y2) = line
    at = (scale.x1, scale.y1)[axis]
    share = (at - (x1, y1)[axis]) / ((x2, y2)[axis] - (x1, y1)[axis])
    crossing = (x1 + share * (x2 - x1), y1 + share * (y2 - y1))
    start = (scale.x1, scale.y1)
    end = (scale.x2, scale.y2)
    other = 1 - axis
    return round(-6 + 12 * (crossing[other] - start[other]) / (end[other] - start[other]), 3)


def middle(line):
    return (line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2


def places_of_letters(path):
    """Return where the scales A and B cross; the names are at their upper left."""
    document = pypdfium2.PdfDocument(path)
    text = document[0].get_textpage()
    height = document[0].get_height()
    places = {}
    for index in range(text.count_chars()):
        left, _, _, top = text.get_charbox(index)
        char = text.get_text_range(index, 1)
        if char in {"A", "B"} and top - text.get_charbox(index)[1] > 8:
            places[char] = (left * MM + 15, (height - top) * MM + 13)
    document.close()
    return places


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--offset", "40 0"), "a shift cannot be 40 mm\n  expected -15 to 15 mm"),
        (("--turn", "12"), "a turn cannot be 12 degrees\n  expected -5 to 5 degrees"),
        (("--bars", "80 100"), "a bar cannot be 80 mm\n  expected 90 to 110 mm"),
        (("--edge", "-1"), "an unprintable edge cannot be -1 mm\n  expected 0 to 25 mm"),
        (("--sides", "front"), "unknown sides 'front'\n  expected one of: backs, both"),
        (("--duplex", "long"), "unknown duplex mode 'long'"),
    ],
)
def test_impossible_reading_is_refused_with_its_range(pnp, settings, args, words):
    result = pnp("printer", "add", "office", *args)
    assert result.exit_code == 2
    assert words in result.stderr
    assert not settings.exists()


def test_help_and_message_say_that_a_pair_of_readings_needs_quotes(pnp, settings):
    assert '--offset "X Y"' in pnp("printer", "add", "--help").output
    result = pnp("printer", "add", "office", "--offset", "1.5", "2")
    assert result.exit_code == 2
    assert 'expected two in quotes, such as "0.5 -0.25"' in result.stderr


def test_printers_are_listed_and_removed(pnp, settings):
    assert "no printers yet" in pnp("printer", "list").output
    add_printer(pnp, "office", {"x": 0.5})
    assert pnp("printer", "list").output == (
        "office: shifts backs by 0.5, 0 mm, turns 0 degrees; "
        "100 mm print as 100 across, 100 down; long-edge, portrait\n"
    )
    assert pnp("printer", "remove", "office").exit_code == 0
    assert "no printers yet" in pnp("printer", "list").output


def test_unknown_printer_is_refused_with_the_nearest_name(pnp, settings, tmp_path):
    result = pnp("build", FLIP, *SHEETS, "-o", tmp_path, "--printer", "ofice")
    assert result.exit_code == 2
    assert "expected a name that 'pnp printer add' has been given" in result.stderr
    add_printer(pnp, "office", {})
    result = pnp("build", FLIP, *SHEETS, "-o", tmp_path, "--printer", "ofice")
    assert (
        result.stderr
        == "unknown printer 'ofice'\n  expected one of: office\n  did you mean 'office'?\n"
    )


def test_profile_is_refused_for_another_mode_or_orientation(pnp, settings, tmp_path):
    add_printer(pnp, "office", {"x": 0.5})
    for args, words in (
        (
            ("--duplex", "short-edge"),
            "was measured for long-edge, portrait, and this is short-edge, portrait",
        ),
        (
            ("--landscape",),
            "was measured for long-edge, portrait, and this is long-edge, landscape",
        ),
        (("--duplex", "single"), "corrects backs, but single prints none behind fronts"),
    ):
        result = pnp("build", FLIP, *SHEETS, "-o", tmp_path, "--printer", "office", *args)
        assert result.exit_code == 3
        assert words in result.stderr


def test_damaged_profiles_are_reported_with_their_file(pnp, settings):
    settings.mkdir()
    (settings / "printers.json").write_text("{", "utf-8")
    result = pnp("printer", "list")
    assert result.exit_code == 3
    assert "printers.json cannot be read" in result.stderr
    (settings / "printers.json").write_text('{"a": {"x": 90}}', "utf-8")
    assert "printers.json: a shift cannot be 90 mm" in pnp("printer", "list").stderr


def test_stored_edge_of_a_printer_limits_the_margins(pnp, settings, tmp_path):
    add_printer(pnp, "old", {}, "--edge", "12")
    result = pnp("build", FLIP, *SHEETS, "-o", tmp_path, "--printer", "old")
    assert (
        "a top margin of 10 mm is less than the 12 mm that the printer leaves blank"
        in result.stderr
    )


@pytest.mark.parametrize(
    "args", [("--duplex", "single"), ("--duplex", "gutterfold", "--landscape")]
)
def test_profile_with_only_an_edge_is_used_in_every_mode(pnp, settings, tmp_path, args):
    refused = pnp("build", FLIP, *SHEETS, "-o", tmp_path, "--paper", "a4", "--margin", "3mm", *args)
    assert "pnp printer add NAME --edge 3, and --printer NAME" in refused.stderr
    assert pnp("printer", "add", "borderless", "--edge", "1.5").exit_code == 0
    result = pnp(
        "build",
        FLIP,
        *SHEETS,
        "-o",
        tmp_path,
        "--paper",
        "a4",
        "--margin",
        "3mm",
        "--printer",
        "borderless",
        *args,
    )
    assert result.exit_code == 0, result.output
    (file,) = (tmp_path / "flip").glob("*sheets*.pdf")
    (page, *_) = read(file)
    assert 1.5 - 0.01 <= min(min(form.clip[0], form.clip[1]) for form in page.forms) < 4


def test_error_and_correction_of_a_profile_cancel():
    profile = Profile("p", 1.5, -2, 3, 97, 104)
    paper = Size(210, 297)
    for place in (Point(0, 0), Point(210, 297), Point(30, 200)):
        there = profile.get_error(paper).apply(profile.get_correction(paper).apply(place))
        assert there == pytest.approx(place, abs=1e-9)


def test_crosses_give_the_shift_and_turn_of_the_printer():
    """The lines are long, so they meet a scale away from the middle at their shifted ends."""
    profile = Profile("p", 0.7, -0.2, 0.9, 99, 101)
    aside = Point(-9, 9)
    fault = profile.get_error(Size(210, 297))
    offsets = []
    for side in (-1, 1):
        zero = Point(105 + side * SPAN / 2, 148.5)
        centre, right, down = (fault.apply(zero + to) for to in ((0, 0), (1, 0), (0, 1)))
        x = centre.x + (zero.y + aside.y - centre.y) * (down.x - centre.x) / (down.y - centre.y)
        y = centre.y + (zero.x + aside.x - centre.x) * (right.y - centre.y) / (right.x - centre.x)
        offsets.append(Point(x, y) - zero)
    shift, turn = compute_shift_and_turn(*offsets, aside)
    assert shift == pytest.approx((0.7, -0.2), abs=1e-9)
    assert turn == pytest.approx(0.9)


def test_printer_without_a_name_or_readings_is_refused(pnp, settings):
    assert "there are no readings" in pnp("printer", "add", "office").stderr
    assert "a printer needs a name" in pnp("printer", "add", " ", "--offset", "1 1").stderr
    assert not settings.exists()


def test_calibration_on_small_paper_or_in_glue_mode_is_refused(pnp, tmp_path):
    result = pnp("calibrate", "-o", tmp_path, "--paper", "a5")
    assert result.exit_code == 3
    assert (
        "A5 is too small for the test sheet\n  expected paper at least 200 mm wide and high"
        in result.stderr
    )
    assert (
        "glue prints no backs behind fronts"
        in pnp("calibrate", "-o", tmp_path, "--duplex", "glue").stderr
    )
