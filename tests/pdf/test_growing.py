"""A file that is written as it grows reads as any other, whatever was brought into it."""

import io
from contextlib import contextmanager

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from generator.core.held import Aside
from generator.pdf.growing import Copied, Growing


@contextmanager
def grown(fill):
    """A file whose root has what was brought under `/It`, read by qpdf, which has nothing to say against it."""

    def write(file):
        into = Growing(file)
        pages = into.add(b"<</Type/Pages/Count 0/Kids[]>>")
        it = fill(into)
        into.close(into.add(b"<</Type/Catalog/Pages %b/It %b>>" % (pages, it)), into.add(b"<<>>"))

    with pikepdf.open(io.BytesIO(Aside().made(write).read())) as read:
        assert read.check_pdf_syntax() == []
        yield read


def brought(make, known=()):
    """What a file has that `make` made, in another."""

    def fill(into):
        with pikepdf.new() as source:
            thing = source.make_indirect(make(source))
            return Copied(source, into, dict(known)).reference(thing)

    return grown(fill)


def test_values_of_every_kind_come_over():
    values = Dictionary(
        Text=r"a (5 0 R) \ ) 6 0 R (",
        Umlaut="ä Ω 7 0 R",
        Raw=pikepdf.String(b"\x00\xff(\\"),
        Number=Array([1, -2.5, 0, True, None]),
        Odd=Name("/A B(5#0 R)"),
        Inner=Dictionary({"/Key with spaces": Array([Array([]), Dictionary()])}),
    )
    told = values.unparse()
    with brought(lambda _: values) as read:
        assert read.Root.It.unparse(resolved=True) == told


def test_streams_keep_their_bytes_and_how_they_are_packed():
    data = bytes(range(256)) * 50 + b"\nendstream endobj 5 0 R"

    def make(pdf):
        plain = pdf.make_stream(data, Length1=12, Inner=Dictionary(Length=3))
        return Dictionary(Plain=plain, Again=pdf.make_stream(b"x" * 99))

    with brought(make) as read:
        it = read.Root.It
        assert it.Plain.read_raw_bytes() == data
        assert (it.Plain.Length1, it.Plain.Inner.Length, it.Again.read_bytes()) == (12, 3, b"x" * 99)


def test_the_same_is_written_once_and_what_differs_is_not():
    def make(pdf):
        def form(font, data):
            return pdf.make_stream(data, Font=pdf.make_indirect(Dictionary(Of=pdf.make_stream(font))))

        return Array([form(b"one", b"a"), form(b"one", b"a"), form(b"two", b"a"), form(b"one", b"b")])

    with brought(make) as read:
        first, same, other_font, other_data = read.Root.It
        assert first.objgen == same.objgen
        assert len({first.objgen, other_font.objgen, other_data.objgen}) == 3
        assert other_data.Font.objgen == first.Font.objgen


def test_what_shows_itself_still_does():
    def make(pdf):
        parent = pdf.make_indirect(Dictionary(Is=Name.Parent))
        kids = [pdf.make_indirect(Dictionary(Nth=nth, Of=parent)) for nth in range(3)]
        for kid, after in zip(kids, [*kids[1:], kids[0]], strict=True):
            kid.Next = after
        parent.Kids = Array(kids)
        return Dictionary(Parent=parent)

    with brought(make) as read:
        parent = read.Root.It.Parent
        assert [kid.Nth for kid in parent.Kids] == [0, 1, 2]
        assert all(kid.Of.objgen == parent.objgen for kid in parent.Kids)
        assert parent.Kids[2].Next.objgen == parent.Kids[0].objgen


def test_a_chain_may_be_longer_than_python_goes_down():
    def make(pdf):
        at = pdf.make_indirect(Dictionary(Last=True))
        for _ in range(3000):
            at = pdf.make_indirect(Dictionary(Next=at))
        return at

    with brought(make) as read:
        at, length = read.Root.It, 0
        while "/Next" in at:
            at, length = at.Next, length + 1
        assert (length, at.Last) == (3000, True)


def test_what_is_known_is_not_brought():
    def fill(into):
        stands = into.add(b"<</Is/Known>>")
        with pikepdf.new() as source:
            other = source.make_indirect(Dictionary(Is=Name.Other))
            thing = source.make_indirect(Dictionary(Shows=other))
            return Copied(source, into, {other.objgen: stands}).reference(thing)

    with grown(fill) as read:
        assert read.Root.It.Shows.Is == "/Known"


@pytest.mark.parametrize("count", [1, 99, 100, 101, 1000])
def test_many_objects_are_found_where_they_are(count):
    def fill(into):
        later = into.reserved()
        some = [into.packed(b"%d" % (nth % 7)) if nth % 3 else into.add(b"<</Nth %d>>" % nth) for nth in range(count)]
        into.add(b"[%b]" % b" ".join(some), number=later)
        return b"%d 0 R" % later

    with grown(fill) as read:
        it = read.Root.It
        found = [int(each.Nth) if "/Nth" in each else int(each.read_bytes()) for each in it]
        assert found == [nth % 7 if nth % 3 else nth for nth in range(count)]


def test_the_name_of_a_file_follows_from_what_is_in_it():
    def named(text):
        with grown(lambda into: into.add(b"(%b)" % text)) as read:
            return bytes(read.trailer.ID[0])

    assert named(b"one") == named(b"one")
    assert named(b"one") != named(b"two")


def test_plain_values_that_stand_by_themselves_come_over():
    values = [7, -2.5, True, False]
    told = Array(values).unparse()
    with brought(lambda pdf: Array([pdf.make_indirect(value) for value in values])) as read:
        assert Array([*read.Root.It]).unparse() == told
