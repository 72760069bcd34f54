"""Test that a file's declarations agree with its content: structure, blending, colour profiles, trays."""

import shutil

import pikepdf
import pytest


@pytest.fixture(scope="module")
def sheets(pnp, tmp_path_factory):
    """Return a function that builds sheets with a front layout and returns the first file."""

    def make(front, *args):
        pack = shutil.copytree("tests/data/packs/flip", tmp_path_factory.mktemp("pack") / "flip")
        (pack / "layouts" / "front.yaml").write_text(front, "utf-8")
        result = pnp(
            "build", pack, "--what", "sheets", "-o", pack / "out", *(args or ("--paper", "a4"))
        )
        assert result.exit_code == 0, result.output
        return next((pack / "out").rglob("*.pdf"))

    return make


def streams_of(pdf):
    return [thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream)]


def test_untagged_file_has_no_marked_content_numbers(sheets):
    with pikepdf.open(sheets("- fill: '#ff0000'\n")) as pdf:
        assert "/StructTreeRoot" not in pdf.Root
        contents = [stream.read_bytes() for stream in streams_of(pdf)]
        assert any(b" re" in content for content in contents)
        assert not [content for content in contents if b"/MCID" in content]
        assert not pdf.check_pdf_syntax()


def test_only_pages_with_transparency_have_a_transparency_group(sheets):
    with pikepdf.open(sheets("- fill: '#ff0000'\n- fill: '#00000080'\n")) as pdf:
        groups = [page.get("/Group") for page in pdf.pages]
    assert groups[0].S == "/Transparency"
    assert groups[0].CS == "/DeviceRGB"
    with pikepdf.open(sheets("- fill: '#ff0000'\n")) as pdf:
        assert not any("/Group" in page for page in pdf.pages)


def test_pdf_version_supports_the_embedded_colour_profiles(sheets):
    with pikepdf.open(sheets("- fill: '#ff0000'\n")) as pdf:
        profiles = [
            item[1].read_bytes()
            for item in pdf.objects
            if isinstance(item, pikepdf.Array) and len(item) == 2 and item[0] == "/ICCBased"
        ]
        newest = max((data[8], data[9] >> 4) for data in profiles)
        assert profiles
        assert (
            pdf.pdf_version
            >= {(2, 1): "1.3", (2, 4): "1.4", (4, 0): "1.5", (4, 1): "1.6", (4, 2): "1.7"}[newest]
        )


@pytest.mark.parametrize(("paper", "tray"), [("a4", True), ("200 x 280 mm", False)])
def test_sheets_ask_for_a_tray_only_if_their_size_is_a_paper(sheets, paper, tray):
    with pikepdf.open(sheets("- fill: '#ff0000'\n", "--paper", paper)) as pdf:
        assert bool(pdf.Root.ViewerPreferences.get("/PickTrayByPDFSize", False)) == tray
