"""Test editions: the printed copies, read back, and the table of orders."""

import csv
import json
import pickle
import re
from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.farm.editions import EditionOptions, plan_edition
from generator.farm.store import parse_result
from generator.farm.work import run_job
from generator.impose.packing import order_stacks
from generator.pdf.typst import typeset
from tests.tools.make_pack import make
from tests.tools.read_pdf import read


def printed_pieces(path):
    """Return the owner and the design of the pieces of each page, in order."""
    pages = (re.sub(r"\s", "", page.text) for page in read(path))
    return [
        [(name, design) for design, name in re.findall(r"\((k\d+)=(\w+)\)", text)] for text in pages
    ]


def manifest(out):
    with (out / "manifest.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_each_copy_has_its_name_its_pieces_and_its_row_in_the_manifest(deck, orders, tmp_path, pnp):
    table = orders("id,name,cards:k0,cards:k1\nann,Ann,5,0\nbob,,,\n")
    result = pnp("edition", deck, "--orders", table, "-o", tmp_path / "out", "--jobs", "1")
    assert result.exit_code == 0, result.output
    paths = [tmp_path / f"out/deck/copies/{name}/deck-1-sheets-a4.pdf" for name in ("ann", "bob")]
    ann, bob = (Counter(piece for page in printed_pieces(path) for piece in page) for path in paths)
    assert ann == {("Ann", "k0"): 5} | {("Ann", f"k{n}"): 2 for n in range(2, 10)}
    assert bob == {("Nobody", f"k{n}"): 2 for n in range(10)}
    assert "Small 1 – ann" in read(paths[0])[0].text, "the footer names the copy"
    rows = manifest(tmp_path / "out")
    assert [row["copy"] for row in rows] == ["ann", "bob"]
    for row in rows:
        assert sha256((tmp_path / "out" / row["file"]).read_bytes()).hexdigest() == row["digest"]
        assert int(row["pages"]) == len(read(tmp_path / "out" / row["file"]))
    assert json.loads((tmp_path / "out/manifest.json").read_text()) == [
        {**r, "pages": int(r["pages"])} for r in rows
    ]
    with (tmp_path / "out/picking.csv").open(newline="") as file:
        picking_list = list(csv.DictReader(file))
    assert [row["pieces"] for row in picking_list] == ["5 cards:k0; 0 cards:k1", ""]


def test_edition_builds_only_missing_damaged_and_changed_copies(deck, orders, tmp_path, pnp):
    def run(text="id,name\na,A\nb,B\n"):
        result = pnp(
            "edition",
            deck,
            "--orders",
            orders(text),
            "-o",
            tmp_path / "out",
            "--together",
            1,
            "--jobs",
            1,
        )
        assert result.exit_code == 0, result.output
        return result.output

    assert "2 jobs: 2 built" in run()
    files = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.pdf")}
    assert "2 jobs: 2 up to date" in run()
    (tmp_path / "out/deck/copies/a/deck-1-sheets-a4.pdf").write_bytes(b"cut")
    assert "1 built, 1 up to date" in run()
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.pdf")} == files
    assert "1 built, 1 up to date" in run("id,name\na,A\nb,Other\n")
    assert "1 job: 1 up to date" in run("id,name\na,A\n")


def test_stacks_of_cut_pieces_are_in_order_of_copies(deck, orders, tmp_path, pnp):
    """Read the sheets, cut them into stacks slot by slot, and pile up the stacks."""
    names = [f"n{n}" for n in range(3)]
    table = orders("id,name\n" + "".join(f"{name},{name}\n" for name in names))
    result = pnp(
        "edition", deck, "--orders", table, "-o", tmp_path / "out", "--by", "sheet", "--jobs", "1"
    )
    assert result.exit_code == 0, result.output
    (path,) = (tmp_path / "out").rglob("*.pdf")
    sheets = printed_pieces(path)
    slot_count = max(len(sheet) for sheet in sheets)
    stacked = [sheet[slot] for slot in range(slot_count) for sheet in sheets if slot < len(sheet)]
    assert len(stacked) == 60
    assert stacked == [(name, f"k{n}") for name in names for n in range(10) for _ in range(2)]


def test_footer_of_a_shared_file_names_first_and_last_copy(deck, orders, tmp_path, pnp):
    table = orders("id,name\na1,A\na2,B\na3,C\n")
    result = pnp(
        "edition", deck, "--orders", table, "-o", tmp_path / "out", "--by", "sheet", "--jobs", "1"
    )
    assert result.exit_code == 0, result.output
    (path,) = (tmp_path / "out").rglob("*.pdf")
    assert "Small 1 – a1 … a3" in read(path)[0].text
    assert [row["copy"] for row in manifest(tmp_path / "out")] == ["a1 a2 a3"]


@given(st.integers(1, 400), st.integers(1, 40))
def test_stacking_keeps_every_piece_and_orders_every_stack(pieces, slots):
    order = order_stacks(pieces, slots)
    assert sorted(order) == list(range(pieces))
    sheets = [order[at : at + slots] for at in range(0, pieces, slots)]
    stacks = [
        [sheet[slot] for sheet in sheets if slot < len(sheet)] for slot in range(min(slots, pieces))
    ]
    assert [piece for stack in stacks for piece in stack] == list(range(pieces))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,nam\na,A\n", "unknown column 'nam'"),
        ("id,cards:k0\na,two\n", "cards:k0: 'two' is not a whole number"),
        (f"id,cards:k0\na,{'9' * 5000}\n", "is too many"),
        ("id,paper\na,a9\n", "unknown paper 'a9'"),
        ("id,variant\na,drak\n", "unknown variant 'drak'"),
        ("id,language\na,xx\n", "unknown language 'xx'"),
        ("id\n../evil\n", "'../evil' is not a name"),
        ("id\na\na\n", "'a' occurs twice"),
        ("id\n", "there are no orders"),
        ("name\nA\n", "there is no column 'id'"),
    ],
)
def test_invalid_orders_are_refused(text, message, deck, orders, tmp_path, pnp):
    result = pnp("edition", deck, "--orders", orders(text), "-o", tmp_path / "out")
    assert result.exit_code == 3, result.output
    assert message in result.output
    assert not list((tmp_path / "out").rglob("*.pdf"))


@pytest.mark.parametrize(
    ("paper", "message"),
    [
        ("a9", "unknown paper 'a9'"),
        ("a4:5,a3:1", "an edition cannot be shared out among papers, which a4:5,a3:1 asks for"),
    ],
)
def test_papers_that_no_edition_can_use_are_refused(paper, message, deck, orders, tmp_path, pnp):
    result = pnp(
        "edition", deck, "--orders", orders("id\na\n"), "-o", tmp_path / "out", "--paper", paper
    )
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("minutes", ["nan", "inf", "1e9"])
def test_time_limit_that_no_clock_can_wait_for_is_refused(minutes, deck, orders, tmp_path, pnp):
    result = pnp(
        "edition", deck, "--orders", orders("id\na\n"), "-o", tmp_path / "out", "--minutes", minutes
    )
    assert result.exit_code == 2, result.output
    assert "Invalid value for '--minutes'" in result.output


def test_missing_file_of_orders_is_reported(deck, tmp_path, pnp):
    result = pnp("edition", deck, "--orders", tmp_path / "none.csv", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "a table with a row for each copy" in result.output


def test_rules_show_name_of_copy_without_reading_its_markdown(deck, orders, tmp_path, pnp):
    (deck / "rules.md").write_text(
        "# Play\n\nThis is the copy of ${order.name}, number ${order.id}.\n"
    )
    text = (deck / "game.yaml").read_text() + "rules: {file: rules.md}\n"
    (deck / "game.yaml").write_text(text)
    table = orders("id,name\nn7,A *b* [c](d)\n")
    result = pnp(
        "edition", deck, "--orders", table, "-o", tmp_path / "out", "--what", "rules", "--jobs", "1"
    )
    assert result.exit_code == 0, result.output
    rules_text = " ".join(
        " ".join(page.text.split())
        for path in (tmp_path / "out").rglob("*.pdf")
        for page in read(path)
    )
    assert "the copy of A *b* [c](d), number n7." in rules_text
    (deck / "rules.md").write_text("# Play\n\n${order.nmae}\n")
    check = pnp("check", deck)
    assert "unknown name '${order.nmae}'" in check.output
    assert check.exit_code == 3


NAMES_WITH_MARKUP = (
    "<b>",
    "**",
    "a*b*c",
    ":star:",
    "[big]x[/]",
    "[red]",
    "{{x}}",
    "&amp;",
    "__x__",
    "a\\\\b",
    "\\\\n",
    "${order.id}",
    "$id",
)


def test_markup_in_an_order_is_printed_literally(tmp_path, orders, pnp):
    """Print names with markup, which are plain text and stop no other copy."""
    layout = '- text: "[${order.name}]"\n  box: [3, 3, 34, 30]\n  style: body\n'
    pack = make(tmp_path / "deck", layout, more="order: {name: '**Nobody**'}\nprint: {paper: [a4]}")
    table = orders(
        "id,name\nplain,\n"
        + "".join(f'n{n},"{name}"\n' for n, name in enumerate(NAMES_WITH_MARKUP))
    )
    result = pnp("edition", pack, "--orders", table, "-o", tmp_path / "out", "--jobs", "1")
    assert result.exit_code == 0, result.output
    for n, name in enumerate(NAMES_WITH_MARKUP):
        (path,) = (tmp_path / f"out/deck/copies/n{n}").glob("*.pdf")
        assert f"[{name}]" in re.sub(r"\s", "", read(path)[0].text)
    (plain,) = (tmp_path / "out/deck/copies/plain").glob("*.pdf")
    assert "[Nobody]" in re.sub(r"\s", "", read(plain)[0].text), (
        "markup in the pack's own default value is applied"
    )


def test_footer_text_of_pack_names_the_copy(deck, orders, tmp_path, pnp):
    (deck / "game.yaml").write_text(
        (deck / "game.yaml").read_text() + 'footer: "for ${order.name} (${order.id})"\n'
    )
    table = orders('id,name\na,"Ann *B*"\n')
    result = pnp("edition", deck, "--orders", table, "-o", tmp_path / "out", "--jobs", "1")
    assert result.exit_code == 0, result.output
    (path,) = (tmp_path / "out").rglob("*.pdf")
    assert "Small 1 – for Ann *B* (a) · Cards" in read(path)[0].text
    (deck / "game.yaml").write_text(
        (deck / "game.yaml").read_text().replace("order.name}", "order.nmae}")
    )
    check = pnp("check", deck)
    assert "unknown name '$order.nmae'" in check.output
    assert "footer" in check.output


def test_copy_with_a_fault_is_reported_and_others_are_built(deck, orders, tmp_path, pnp):
    long = "long" * 40
    table = orders(f"id,name\na,Ann\nb,{long}\nc,Cay\n")
    result = pnp("edition", deck, "--orders", table, "-o", tmp_path / "out", "--jobs", "1")
    assert result.exit_code == 3
    (line,) = [line for line in result.output.splitlines() if "too wide" in line]
    assert line.startswith("deck/copies/00001: b: ")
    assert sorted(row["copy"] for row in manifest(tmp_path / "out")) == ["a", "c"]
    with (tmp_path / "out/failures.csv").open(newline="") as file:
        failures = list(csv.DictReader(file))
    assert {failure["job"] for failure in failures} == {"deck/copies/00001"}
    assert all("shorten the text" in failure["problem"] for failure in failures)
    second_result = pnp(
        "edition",
        deck,
        "--orders",
        orders("id,name\na,Ann\nb,B\nc,Cay\n"),
        "-o",
        tmp_path / "out",
        "--jobs",
        "1",
    )
    assert second_result.exit_code == 0, second_result.output
    assert len((tmp_path / "out/failures.csv").read_text().splitlines()) == 1, (
        "the second run has no failures"
    )


def test_faces_without_order_data_are_compiled_once_for_all_copies(
    deck, orders, tmp_path, monkeypatch
):
    """Print the name on one card of ten, and count the pages that typst compiles."""
    (deck / "layouts/front.yaml").write_text(
        "- fill: $tint\n- text: $id\n  box: [3, 3, 34, 10]\n  style: body\n"
        "- when: id = k3\n  text: ${order.name}\n  box: [3, 13, 34, 10]\n  style: body\n"
    )
    table = orders("id,name\na,Ann\nb,Bob\nc,Cay\n")
    jobs, _ = plan_edition(str(deck), EditionOptions(table, copies_per_job=1))
    page_counts = []
    real_typeset = typeset

    def typeset_and_count(files, *others):
        page_counts.append(files["main"].count(b"#page("))
        return real_typeset(files, *others)

    monkeypatch.setattr("generator.pdf.typst.typeset", typeset_and_count)
    cache_folder = tmp_path / "kept"
    for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr("tempfile.tempdir", None)
    files = {}
    (single_job,) = plan_edition(str(deck), EditionOptions(table, copies_per_job=3))[0]
    for n, job in enumerate([single_job, *jobs]):
        folder = tmp_path / f"folder{n}"
        folder.mkdir()
        result = parse_result(run_job(pickle.dumps(job), str(folder), str(cache_folder), b"key"))
        assert not result.problems
        for file in result.files:
            assert files.setdefault(file.name, file.digest) == file.digest, (
                "jobs of one or several copies give the same bytes"
            )
    assert page_counts == [9, 1, 1, 1], "jobs of single copies find all pages in the cache"
    assert len(files) == 3


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (
            ["Ann", "ann"],
            "orders.csv:3: id: 'ann' and 'Ann' are the same folder on Windows and macOS",
        ),
        (["x\u00c5", "x\u212b"], "orders.csv:3: id: 'x\u212b' and 'x\u00c5' are the same folder"),
        (
            ["stra\u00dfe", "STRASSE"],
            "orders.csv:3: id: 'STRASSE' and 'stra\u00dfe' are the same folder",
        ),
        (
            ["con"],
            "orders.csv:2: id: 'con' names a folder, and Windows keeps this name for a device",
        ),
        (["a", "NUL.txt"], "orders.csv:3: id: 'NUL.txt' names a folder"),
        (["Com1"], "orders.csv:2: id: 'Com1' names a folder"),
        (["a."], "orders.csv:2: id: 'a.' names a folder, and Windows drops dots"),
    ],
)
def test_ids_that_are_no_folder_names_on_some_system_are_refused(
    deck, orders, tmp_path, pnp, ids, message
):
    table = orders("id,name\n" + "".join(f"{name},A\n" for name in ids))
    result = pnp("edition", deck, "--orders", table, "-o", tmp_path / "out", "--jobs", "1")
    assert result.exit_code == 3
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


def test_ids_that_resemble_device_names_are_accepted(deck, orders, tmp_path, pnp):
    table = orders("id,name\nconan,A\ncom,B\ncom10,C\na.con,D\n")
    result = pnp("edition", deck, "--orders", table, "-o", tmp_path / "out", "--jobs", "1")
    assert result.exit_code == 0, result.output
