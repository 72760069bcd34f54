"""Read the rules of two games back from their files: places, tags, and targets of references."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from generator.base.files import Outbox
from generator.export import rules, write
from generator.pipeline.project import BuildRequest, Project
from tests.tools.booklet_layout import decorations
from tests.tools.placeholder_figures import GAMES
from tests.tools.read_pdf import read

PAPERS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
MARGIN = {"rules": (16.9, 13.9), "booklet": (12.4, 11.9)}
MM = 25.4 / 72
BUNDLED_GAMES = sorted(
    path.parent.name for path in (Path(__file__).parents[2] / "templates").glob("*/game.yaml")
)


@pytest.fixture(scope="module", params=GAMES)
def folder(request, printed):
    return printed(request.param)


@pytest.fixture(scope="module")
def reading(folder):
    return next(path for path in folder.glob("*-rules.pdf"))


def texts_of(path):
    document = pypdfium2.PdfDocument(path)
    texts = [
        page.get_textpage().get_text_range().replace("\xa0", " ").replace("\r\n", "\n")
        for page in document
    ]
    document.close()
    return texts


def test_text_of_rules_has_at_least_9_points(reading, folder):
    for path in (reading, next(folder.glob("*booklet-a4.pdf"))):
        with pikepdf.open(path) as pdf:
            sizes = {size for page in pdf.pages for size in _sizes(page)}
        assert sizes
        assert min(sizes) >= 9 - 1e-3


def _sizes(page):
    """Yield the type sizes of a page's text, also of pages placed as forms on a sheet.

    Text inside pictures is left out.
    """
    halves = [form for name, form in page.Resources.get("/XObject", {}).items() if "page-" in name]
    for stream in halves or [page]:
        for operands, operator in pikepdf.parse_content_stream(stream):
            if str(operator) == "Tf":
                yield float(operands[1])


def test_pages_to_read_fit_a4_and_letter(reading):
    for page in read(reading):
        assert (round(page.width, 1), round(page.height, 1)) == (210, 279.4)


def test_booklets_have_the_size_of_their_paper(folder):
    for name, size in PAPERS.items():
        pages = read(next(folder.glob(f"*booklet-{name}.pdf")))
        assert {(round(page.width, 1), round(page.height, 1)) for page in pages} == {size}
        assert len(pages) % 2 == 0


def test_rules_declare_language_title_and_print_settings(folder, reading):
    for path in folder.glob("*-rules*.pdf"):
        with pikepdf.open(path) as pdf:
            assert str(pdf.Root.Lang) == "en"
            assert str(pdf.docinfo["/Title"])
            duplex = "/DuplexFlipLongEdge" if path == reading else "/DuplexFlipShortEdge"
            assert pdf.Root.ViewerPreferences.Duplex == duplex
            assert pdf.Root.ViewerPreferences.PrintScaling == "/None"


def test_outline_of_rules_leads_to_the_pages_of_headings(reading):
    with pikepdf.open(reading) as pdf, pdf.open_outline() as outline:
        titles = [item.title for item in _items(outline.root)]
    assert {"Scoring", "Credits"} <= set(titles)
    document = pypdfium2.PdfDocument(reading)
    pages = {mark.get_title(): mark.get_dest().get_index() for mark in document.get_toc()}
    document.close()
    texts = [_squeezed(text).lower() for text in texts_of(reading)]
    for title in titles:
        assert title.lower() in texts[pages[title]]


def _items(items):
    for item in items:
        yield item
        yield from _items(item.children)


def _squeezed(text):
    return re.sub(r"\s+", " ", text)


def test_page_references_name_the_pages_of_their_headings(reading):
    """`Swords (page 3)` means that page 3 of the file has the heading."""
    pages = [_squeezed(text) for text in texts_of(reading)]
    document = pypdfium2.PdfDocument(reading)
    where = {
        mark.get_title().lower(): mark.get_dest().get_index() + 1 for mark in document.get_toc()
    }
    document.close()
    references = [
        match for text in pages for match in re.finditer(r"([A-Z][\w ]+?) \(page (\d+)\)", text)
    ]
    bare = [match for text in pages for match in re.finditer(r"see page (\d+)", text)]
    assert references or bare
    for match in references:
        names = [
            name for name in where if match[1].lower().endswith((name, name.removesuffix("s")))
        ]
        assert int(match[2]) in {where[name] for name in names}, match[0]
    for match in bare:
        assert int(match[1]) == where["scoring"]


def test_links_of_rules_have_targets(reading):
    with pikepdf.open(reading) as pdf:
        links = [
            note
            for page in pdf.pages
            for note in page.get("/Annots", [])
            if note.Subtype == "/Link"
        ]
        assert links
        assert all("/Dest" in note or "/A" in note for note in links)


def test_pictures_of_rules_lie_in_the_type_area_without_overlap(reading):
    """No line of text runs into a picture either; the cover is one full picture and left out."""
    document = pypdfium2.PdfDocument(reading)
    side, top = MARGIN["rules"]
    visible = decorations(reading, folded=False)
    for number, page in enumerate(read(reading)[1:], 1):
        boxes = _pictures(page, [item for item in visible if item.page == number + 1])
        for left, upper, right, lower in boxes:
            assert left >= side
            assert right <= page.width - side
            assert upper >= top
            assert lower <= page.height - 16.9
        for item, two in combinations(boxes, 2):
            assert not _meet(item, two)
        for line in _lines(document[number]):
            assert not [box for box in boxes if _meet(line, box) and not _inside(line, box)], line
    document.close()


def _box(form):
    return form.x - form.w / 2, form.y - form.h / 2, form.x + form.w / 2, form.y + form.h / 2


def _pictures(page, visible=()):
    """Return the pictures that are larger than an icon and no decoration of the page.

    Art at the foot of a page, of which only a part is `visible`, counts with this part.
    """
    boxes = [
        _box(form)
        for form in page.forms
        if max(form.w, form.h) > 6 and form.h < 200 and form.y > 11
    ]
    parts = {
        (round(item.x), round(item.x + item.w), round(item.y + item.h)): item.y for item in visible
    }
    return [
        (
            left,
            max(upper, parts.get((round(left), round(right), round(lower)), upper)),
            right,
            lower,
        )
        for left, upper, right, lower in boxes
    ]


def _lines(page):
    text = page.get_textpage()
    height = page.get_height()
    for index in range(text.count_rects()):
        left, bottom, right, upper = text.get_rect(index)
        yield left * MM, (height - upper) * MM, right * MM, (height - bottom) * MM


def _meet(one, two, slack=0.3):
    return (
        one[0] < two[2] - slack
        and two[0] < one[2] - slack
        and one[1] < two[3] - slack
        and two[1] < one[3] - slack
    )


def _inside(one, two, slack=0.3):
    return (
        one[0] >= two[0] - slack
        and one[1] >= two[1] - slack
        and one[2] <= two[2] + slack
        and one[3] <= two[3] + slack
    )


def test_columns_of_the_last_page_differ_by_less_than_a_third(reading):
    """No column is more than a third of a page longer than the other."""
    document = pypdfium2.PdfDocument(reading)
    page = read(reading)[-1]
    lines = [line for line in _lines(document[len(document) - 1]) if line[3] < page.height - 15]
    boxes = [*lines, *_pictures(page)]
    left = max(box[3] for box in boxes if box[2] < page.width / 2)
    right = max(box[3] for box in boxes if box[0] > page.width / 2)
    assert abs(left - right) < page.height / 3
    document.close()


def test_rules_store_each_picture_once(reading):
    with pikepdf.open(reading) as pdf:
        forms = [
            item
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form"
        ]
        contents = [
            (form.read_bytes(), form.get("/Resources", pikepdf.Dictionary()).unparse())
            for form in forms
            # Forms that only contain another form are not pictures.
            if not re.fullmatch(rb"\s*/\S+ Do\s*", form.read_bytes())
        ]
    assert len(contents) > 1
    assert not [entry for number, entry in enumerate(contents) if entry in contents[:number]]


def test_rules_have_the_same_bytes_each_time(printed, tmp_path):
    """Write the rules of a game again that was built in another process."""
    built = printed("hoses-and-hydrants")
    with Outbox(tmp_path / "again") as outbox:
        assert list(write(["rules"], Project(BuildRequest(built.name)), outbox))
    names = {path.name for path in (tmp_path / "again").iterdir()}
    assert names == {path.name for path in built.glob("*-rules*")}
    for name in names:
        assert (tmp_path / "again" / name).read_bytes() == (built / name).read_bytes(), name


def _elements(pdf):
    """Yield the structure elements in reading order."""

    def below(element):
        yield element
        kids = element.get("/K", [])
        for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
            if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
                yield from below(kid)

    for top in pdf.Root.StructTreeRoot.K:
        yield from below(top)


def _tags_for_screen_readers(path):
    """Return a file's structure for screen readers: headings, list lengths, and descriptions of pictures."""
    with pikepdf.open(path) as pdf:
        assert dict(pdf.Root.MarkInfo) == {"/Marked": True}, "poppler rejects further entries"
        for element in _elements(pdf):
            if str(element.S).startswith("/H"):
                yield str(element.S), str(element.T)
            elif element.S == "/L":
                yield "/L", len(element.K)
            elif "/Alt" in element:
                yield str(element.S), str(element.Alt)


@pytest.mark.parametrize("folder", BUNDLED_GAMES, indirect=True)
def test_booklet_has_every_tag_of_the_file_to_read(folder, reading):
    """Compare figures without their order: they may stand at other places."""
    tags = list(_tags_for_screen_readers(reading))
    for name in PAPERS:
        folded = list(_tags_for_screen_readers(next(folder.glob(f"*booklet-{name}.pdf"))))
        assert Counter(folded) == Counter(tags)
        texts = [tag for tag in tags if tag[0] != "/Figure"]
        assert len(texts) > 10
        assert [tag for tag in folded if tag[0] != "/Figure"] == texts


# In the booklet of Hoses and Hydrants, a figure stands below a heading that it stands above in the
# file to read.
@pytest.mark.parametrize("folder", ["hydras"], indirect=True)
def test_booklet_has_the_tags_of_the_file_to_read(folder, reading):
    """Headings, lists and figures come in reading order, not in the order of sheets."""
    heard = list(_tags_for_screen_readers(reading))
    assert {kind for kind, _ in heard} >= {"/H1", "/H2", "/L", "/Figure"}
    assert max(many for kind, many in heard if kind == "/L") > 2
    for name in PAPERS:
        assert list(_tags_for_screen_readers(next(folder.glob(f"*booklet-{name}.pdf")))) == heard


def test_marked_content_of_booklets_belongs_to_its_structure_element(folder):
    """The named form on the named sheet contains the mark, which refers back to its element."""
    mark_count = 0
    with pikepdf.open(next(folder.glob("*booklet-a4.pdf"))) as pdf:
        numbers = pdf.Root.StructTreeRoot.ParentTree.Nums
        parents = {int(numbers[n]): numbers[n + 1] for n in range(0, len(numbers), 2)}
        contents = {}
        for element in _elements(pdf):
            for kid in (kid for kid in element.get("/K", []) if "/MCID" in kid):
                form = kid.Stm
                mark = int(kid.MCID)
                forms_on_sheet = {item.objgen for item in kid.Pg.Resources.XObject.values()}
                assert form.objgen in forms_on_sheet
                assert parents[int(form.StructParents)][mark].objgen == element.objgen
                content = contents.setdefault(form.objgen, form.read_bytes())
                assert len(re.findall(rb"/MCID %d\b" % mark, content)) == 1
                mark_count += 1
        marks = [
            form.read_bytes()
            for page in pdf.pages
            for name, form in page.Resources.XObject.items()
            if "lines-" in name
        ]
        assert len(marks) == len(pdf.pages)
    assert mark_count > 80
    assert all(b"/Artifact BMC" in content_of_lines for content_of_lines in marks), (
        "fold lines are artifacts for screen readers"
    )


def test_booklet_of_one_page_leaves_the_inside_blank(tmp_path):
    for name, text in {
        "game.yaml": "name: T\nversion: 1\nrules: {file: rules.md}\n"
        "components: {c: {title: C, size: poker, data: [{id: a}], front: card.yaml}}\n",
        "card.yaml": 'layers: [{fill: "#ffffff"}]\n',
        "rules.md": "# T\n\nDraw a card.\n",
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
    with Outbox(tmp_path / "out") as outbox:
        a4, _ = rules.write_booklet(Project(BuildRequest(str(tmp_path))), outbox)
    outside, inside = texts_of(a4.path)
    assert "Draw a card." in outside
    assert not inside.strip()
