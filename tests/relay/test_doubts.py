"""Test the warnings about doubtful pieces, with their page and size."""

import re

from tests.tools.foreign_pdfs import A4, MM, NAMES, POKER, Canvas, card, places


def framed_cards(path, rows=3, more=None):
    canvas = Canvas(str(path), pagesize=A4)
    for (x, y), name in zip(places(A4, POKER, 3, rows), NAMES, strict=False):
        card(canvas, x, y, POKER[0] * MM, POKER[1] * MM, name)
    if more:
        more(canvas)
    canvas.save()


def relay(pnp, path, folder, *more):
    result = pnp("relay", path, "-o", folder, "--paper", "a4", *more)
    assert result.exit_code == 0, result.output
    return re.sub(r"\s+", " ", result.output)


def test_ink_outside_all_pieces_is_reported_with_place_and_size(tmp_path, pnp):
    def token(canvas):
        canvas.setFillColorRGB(0.2, 0.5, 0.3)
        canvas.rect(20 * MM, 20 * MM, 70 * MM, 30 * MM, stroke=0, fill=1)

    framed_cards(tmp_path / "cards.pdf", 2, token)
    output = relay(pnp, tmp_path / "cards.pdf", tmp_path)
    match = re.search(
        r"page 1: ink where no piece is found: ([\d.]+) x ([\d.]+) mm at ([\d.]+) mm ([\d.]+) mm",
        output,
    )
    assert match, output
    assert all(
        abs(float(group) - other) < 0.4
        for group, other in zip(match.groups(), (70, 30, 20, 247), strict=True)
    )


def test_grid_that_cuts_through_ink_is_reported(tmp_path, pnp):
    framed_cards(tmp_path / "cards.pdf")
    grid = "3x3 of poker at 16mm 20mm"
    output = relay(pnp, tmp_path / "cards.pdf", tmp_path / "out", "--grid", grid)
    match = re.search(r"page 1: the grid cuts through ink along ([\d.]+) mm", output)
    assert match, output
    assert float(match[1]) > 20


def test_grid_with_cells_of_different_sizes_is_reported(tmp_path, pnp):
    canvas = Canvas(str(tmp_path / "boxes.pdf"), pagesize=A4)
    for row in range(3):
        for column, name in enumerate(NAMES[3 * row : 3 * row + 3]):
            width = 61.5 if column == 2 else 60
            card(canvas, (12 + 62 * column) * MM, (20 + 88 * row) * MM, width * MM, 80 * MM, name)
    canvas.save()
    output = relay(pnp, tmp_path / "boxes.pdf", tmp_path, "--grid", "3x3")
    assert "page 1: the cells of the grid differ, from 60 x 80 mm to 61.5 x 80 mm" in output


def test_page_of_regular_pieces_gives_no_warning(tmp_path, pnp):
    framed_cards(tmp_path / "cards.pdf")
    output = relay(pnp, tmp_path / "cards.pdf", tmp_path, "--grid", "3x3")
    assert "9 pieces" in output
    assert not re.search("ink where|cuts through|cells of|turned", output)


def test_frames_that_a_clip_hides_are_no_pieces(tmp_path, pnp):
    def hidden_frames(canvas):
        canvas.saveState()
        strip = canvas.beginPath()
        strip.rect(0, 0, 210 * MM, 4 * MM)
        canvas.clipPath(strip, stroke=0)
        for x in (4, 107):
            canvas.rect(x * MM, 10 * MM, 99 * MM, 280 * MM)
        canvas.restoreState()

    framed_cards(tmp_path / "cards.pdf", 3, hidden_frames)
    assert "9 pieces" in relay(pnp, tmp_path / "cards.pdf", tmp_path)


def test_page_number_beyond_a_file_of_one_page_is_refused(tmp_path, pnp):
    framed_cards(tmp_path / "cards.pdf")
    result = pnp("relay", tmp_path / "cards.pdf", "-o", tmp_path, "--page", "2")
    assert result.exit_code == 2
    assert "has 1 page, and --page names none of them" in re.sub(r"\s+", " ", result.output)
