"""Test pieces in the slots of pre-cut sheets, read back in mm."""

import pytest

from generator.export.targets import TARGETS
from generator.impose.precut import load_precut_sheets
from tests.tools.make_deck import deck
from tests.tools.make_pack import make
from tests.tools.read_pdf import read


def export_labels(pnp, pack, out, *more):
    result = pnp("export", "labels", pack, "-o", out, *more)
    assert result.exit_code == 0, result.output
    return read(next(out.rglob("*.pdf")))


@pytest.mark.parametrize("name", load_precut_sheets())
def test_every_precut_sheet_is_symmetric_and_its_slots_do_not_overlap(name):
    """Compare the margins left and right, within a millimetre, and all pairs of slots."""
    sheet = load_precut_sheets()[name]
    left = min(slot.x for slot in sheet.slots)
    assert sheet.paper.size.w - max(slot.right for slot in sheet.slots) == pytest.approx(
        left, abs=1
    )
    pairs = [(item, two) for at, item in enumerate(sheet.slots) for two in sheet.slots[at + 1 :]]
    assert not [pair for pair in pairs if pair[0].grown(-0.01).overlaps(pair[1].grown(-0.01))]


@pytest.mark.parametrize("target", TARGETS)
def test_export_of_no_pieces_is_refused(target, tmp_path, pnp):
    pack = make(tmp_path / "pack", table="id,count\none,0\n")
    result = pnp("export", target, pack, "-o", tmp_path / "out")
    assert result.exit_code == 3, result.output
    assert "there is nothing to export" in result.output
    assert not list((tmp_path / "out").rglob("*.*"))


def test_pieces_lie_in_slots_with_backs_behind_fronts(tmp_path, pnp):
    pages = export_labels(pnp, deck(tmp_path / "pack", 12, "3.5in x 2in"), tmp_path)
    assert [len(page.forms) for page in pages] == [10, 10, 2, 2]
    assert (pages[0].forms[0].x, pages[0].forms[0].y) == pytest.approx(
        (19.05 + 44.45, 12.7 + 25.4), abs=0.01
    )
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        for form, two in zip(front.forms, back.forms, strict=True):
            assert (two.x, two.y) == pytest.approx((front.width - form.x, form.y), abs=0.01)
        assert not front.strokes, "no marks"


def test_card_is_turned_to_fit_its_slot(tmp_path, pnp):
    pages = export_labels(pnp, deck(tmp_path / "pack", 1, "2in x 3.5in"), tmp_path)
    assert [page.forms[0].turn for page in pages] == pytest.approx([90, 270])


def test_used_slots_are_skipped(tmp_path, pnp):
    pages = export_labels(pnp, deck(tmp_path / "pack", 10, "3.5in x 2in"), tmp_path, "--skip", "9")
    assert [len(page.forms) for page in pages] == [1, 1, 9, 9]


def test_more_used_slots_than_a_sheet_has_are_refused(tmp_path, pnp):
    pack = deck(tmp_path / "pack", 10, "3.5in x 2in")
    result = pnp("export", "labels", pack, "-o", tmp_path / "out", "--skip", "10")
    assert result.exit_code == 3
    assert "--skip 10 leaves no slot: a sheet of avery-5371 has 10" in result.output


def test_own_template_file_may_list_slots_in_any_order(tmp_path, pnp):
    own = tmp_path / "mine.toml"
    own.write_text('paper = "a4"\nslots = [[20, 120, 60, 60], [20, 20, 60, 60]]\n')
    pages = export_labels(
        pnp, deck(tmp_path / "pack", 2, "60mm", component="back: none"), tmp_path, "--template", own
    )
    assert [(round(form.x), round(form.y)) for form in pages[0].forms] == [(50, 150), (50, 50)]


def test_template_in_a_pack_is_found_and_may_not_lead_out(tmp_path, pnp):
    pack = deck(tmp_path / "pack", 2, "60mm", component="back: none")
    (pack / "print").mkdir()
    (pack / "print/mine.toml").write_text(
        'paper = "a4"\nslots = [[20, 120, 60, 60], [20, 20, 60, 60]]\n'
    )
    pages = export_labels(pnp, pack, tmp_path, "--template", "print/mine.toml")
    assert [(round(form.x), round(form.y)) for form in pages[0].forms] == [(50, 150), (50, 50)]
    result = pnp("export", "labels", pack, "-o", tmp_path, "--template", "print/mien.toml")
    assert result.exit_code == 2
    assert "did you mean 'print/mine.toml'?" in result.stderr
    (tmp_path / "secret.toml").write_text("a")
    (pack / "print/out.toml").symlink_to(tmp_path / "secret.toml")
    outside = pnp("export", "labels", pack, "-o", tmp_path, "--template", "print/out.toml")
    assert outside.exit_code == 2
    assert "leads out of the pack's folder" in outside.stderr


GRID = 'paper = "a4"\ngrid = [{}, {}]\nfirst = [0, 0]\nsize = [20, 20]\nstep = [0, 0]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('paper = "a4"\n', "is not a template: 'grid' is missing"),
        ('paper = "a4"\nslots = [[0, 0, 10]]\n', "is not a template: "),
        ('paper = "a4"\nslots = [[200, 0, 20, 20]]\n', "leaves A4"),
        ("paper = ", "is not a template: "),
        ('paper = "a4"\nslots = []\n', "no slots"),
        (GRID.format(1, 1001), "a grid cannot be 1 × 1001"),
        (GRID.format(0, 4), "a grid cannot be 0 × 4"),
        (GRID.format(1, 1) + "#" * 100_000, "mine.toml: too large"),
    ],
)
def test_invalid_template_is_refused(text, message, tmp_path, pnp):
    own = tmp_path / "mine.toml"
    own.write_text(text)
    result = pnp(
        "export", "labels", make(tmp_path / "pack"), "-o", tmp_path / "out", "--template", own
    )
    assert result.exit_code == 3
    assert message in result.stderr


def test_piece_larger_than_slots_is_refused(tmp_path, pnp):
    result = pnp("export", "labels", make(tmp_path / "pack"), "-o", tmp_path / "out")
    assert result.exit_code == 4
    assert "40 × 40 mm does not fit the slots of avery-5371" in result.stderr
    assert pnp("export", "labels", tmp_path / "pack", "--template", "avery").exit_code == 2
