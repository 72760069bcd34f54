"""What was written into one file is written into another as it was, at its own numbers."""

import io

import pikepdf
import pytest

from generator.pdf import keeping
from generator.pdf.growing import Copied, Growing
from generator.pdf.keeping import Noted, written_again


@pytest.fixture
def source():
    """Something that shows itself, shares a stream, and says in a text what looks as if it showed something."""
    pdf = pikepdf.new()
    stream = pdf.make_stream(b"0 0 9 9 re f")
    other = pdf.make_indirect(pikepdf.Dictionary(Shown=stream, Text=pikepdf.String("(1 0 R) 2 0 R")))
    thing = pdf.make_indirect(pikepdf.Dictionary(Other=other, Shown=stream))
    thing.Itself = thing
    return pdf, thing


def closed(file, into, thing):
    pages = into.add(b"<</Type/Pages/Count 0/Kids[]>>")
    into.close(into.add(b"<</Type/Catalog/Pages %b/Thing %b>>" % (pages, thing)), into.add(b"<<>>"))
    return pikepdf.open(file)


def test_it_is_the_same_at_other_numbers(source):
    pdf, thing = source
    noted = Noted(Growing(io.BytesIO()))
    kept = noted.kept({"it": (Copied(pdf, noted, {}).reference(thing), True)})
    file = io.BytesIO()
    into = Growing(file)
    before = [into.add(b"<</Nth %d>>" % nth) for nth in range(7)]
    ((own, blends),) = written_again(kept, into).values()
    assert blends
    assert own not in before
    pdf = closed(file, into, own)
    again = pdf.Root.Thing
    assert again.Itself.objgen == again.objgen
    assert again.Other.Shown.objgen == again.Shown.objgen
    assert again.Shown.read_bytes() == b"0 0 9 9 re f"
    assert str(again.Other.Text) == "(1 0 R) 2 0 R"


def test_it_is_written_once_beside_what_is_there(source):
    pdf, thing = source
    into = Growing(io.BytesIO())
    noted = Noted(into)
    first = Copied(pdf, noted, {}).reference(thing.Other)
    written = into.reserved()
    ((again, _),) = written_again(noted.kept({"it": (first, False)}), into).values()
    assert again == first
    assert into.reserved() == written + 1


def test_what_is_too_much_is_not_kept(source, monkeypatch):
    monkeypatch.setattr(keeping, "MOST", 9)
    pdf, thing = source
    noted = Noted(Growing(io.BytesIO()))
    own = Copied(pdf, noted, {}).reference(thing)
    assert noted.entries == []
    assert noted.kept({"it": (own, False)}) == b""
