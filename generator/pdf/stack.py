"""A stack of sheets as a file, written as it grows: the faces first, some at a time, then page by page.

However many sheets there are, little more is held than where in the file each thing is.
"""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import islice

import pikepdf

from generator.core.cache import NOTHING_KEPT, Kept, key_of
from generator.core.geometry import Size
from generator.core.held import Aside, Held
from generator.core.held import stream as opened
from generator.core.units import points
from generator.pdf.faces import CHUNK, FacePages
from generator.pdf.forms import Forms, art_name, image_in
from generator.pdf.graft import About, describe, see_through, sizes, tidy
from generator.pdf.growing import Copied, Growing, Taking, reference
from generator.pdf.keeping import Noted, Shown, written_again
from generator.pdf.sheets import FaceForm, LaidPages, write_pages

SOME = CHUNK
"""Faces that are taken over at a time: mostly those of one document."""
KEPT = "forms"
"""What they are called in the cache."""


def stacked(
    laid: LaidPages, chunks: Iterable[FacePages], about: About, opening: bytes = b"", kept: Kept = NOTHING_KEPT
) -> Held:
    """The finished file of some pages of sheets. Finished pages may open it, which keep the order of their reading.

    Where both sides are printed, the first sheet's front is on a sheet of its own then, and the pages before it are
    numbered i, ii, iii.
    """
    chunks = tuple(chunks)
    return Aside().made(lambda file: _Stack(Growing(file), laid, chunks, kept).write(opening, about))


@dataclass(frozen=True)
class _Stack:
    """A file in the making."""

    into: Growing
    laid: LaidPages
    chunks: tuple[FacePages, ...]
    kept: Kept = NOTHING_KEPT

    def write(self, opening: bytes, about: About) -> None:
        """All of it."""
        into, parent = self.into, self.into.reserved()
        with pikepdf.open(io.BytesIO(opening)) if opening else pikepdf.new() as first:
            _make_whole(first, about.duplex)
            copied = Copied(first, into, {first.Root.Pages.objgen: reference(parent)})
            kids = [copied.reference(page.obj) for page in first.pages]
            numbers = tuple("i" * nth for nth in range(1, len(kids) + 1))
            kids += write_pages(self.laid, dict(self._forms()), into, parent)
            describe(first, about, (*sizes(first), *(Size(*map(points, page.paper)) for page in self.laid.pages)))
            into.add(b"<</Type/Pages/Count %d/Kids[%b]>>" % (len(kids), b" ".join(kids)), number=parent)
            labels = self._labels((*numbers, *about.labels))
            root = copied.told(first.Root).rstrip().removesuffix(b">>")
            into.close(into.add(b"%b/PageLabels %b>>" % (root, labels)), into.add(copied.told(first.docinfo)))

    def _labels(self, labels: Sequence[str]) -> bytes:
        told = (b"%d<</P %b>>" % (nth, pikepdf.String(label).unparse()) for nth, label in enumerate(labels))
        return self.into.add(b"<</Nums[%b]>>" % b"".join(told))

    def _forms(self) -> Iterator[tuple[str, FaceForm]]:
        """Write the faces that are shown."""
        plain = [chunk for chunk in self.chunks if not chunk.is_pixels]
        with ExitStack() as stack:
            pictures = _pictures(self.chunks, self.into, stack)
            names = iter(self.laid.names)
            keys = None if pictures or self.kept is NOTHING_KEPT else _Keys(plain, self.laid.names)
            while some := tuple(islice(names, SOME)):
                write = partial(self._some, some, plain, pictures)
                shown = self._kept(keys.key(some), write) if keys else dict(write(self.into))
                yield from ((name, FaceForm(*each)) for name, each in shown.items())

    def _kept(self, key: str, write: Callable[[Taking], Iterable[tuple[str, Shown]]]) -> dict[str, Shown]:
        """Some faces as they were written before, or as they are written now, which is kept."""
        if known := self.kept.get(KEPT, key):
            return written_again(known, self.into)
        noted = Noted(self.into)
        shown = dict(write(noted))
        if data := noted.kept(shown):
            self.kept.put(KEPT, key, data)
        return shown

    def _some(
        self, names: Iterable[str], plain: Iterable[FacePages], pictures: Mapping[str, "_Pixels"], into: Taking
    ) -> Iterator[tuple[str, Shown]]:
        with ExitStack() as stack:
            pdf = stack.enter_context(pikepdf.new())
            forms = Forms(pdf, plain, stack)
            made = {name: forms.form(name) for name in names}
            forms.complete()
            tidy(pdf)
            streams = (thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream))
            named = ((stream.objgen, art_name(stream) or "") for stream in streams)
            shown = {key: pictures[name] for key, name in named if name in pictures}
            copied = Copied(pdf, into, {key: picture.reference for key, picture in shown.items()})
            blending = {key: picture.blends for key, picture in shown.items()}
            for name, form in made.items():
                yield name, (copied.reference(form), see_through(form, blending))


class _Keys:
    """The keys of forms that are written together: of the files that have their pages, and of all art."""

    def __init__(self, chunks: Iterable[FacePages], names: Iterable[str]) -> None:
        self._composed = {name: picture for chunk in chunks for name, picture in chunk.composed.items()}
        self._parts = {name: self._leaves(name) for name in names}
        self._where = {name: digest for chunk in chunks if (digest := _digest(chunk)) for name in chunk.pages}
        faces = {leaf for leaves in self._parts.values() for leaf in leaves}
        self._others = sorted({digest for name, digest in self._where.items() if name not in faces})

    def _leaves(self, name: str) -> tuple[str, ...]:
        found = self._composed.get(name)
        return tuple(leaf.name for leaf in found.leaves) if found and found.placed else (name,)

    def key(self, names: Iterable[str]) -> str:
        """The key of the forms of some faces."""
        own = {self._where[leaf] for name in names for leaf in self._parts[name]}
        return key_of(tuple(names), sorted(own), self._others)


def _digest(chunk: FacePages) -> str:
    data = chunk.pdf.read() if isinstance(chunk.pdf, Held) else chunk.pdf
    return key_of(sha256(data).hexdigest(), sorted(chunk.blended), sorted(chunk.pages.items()))


@dataclass(frozen=True)
class _Pixels:
    """A picture of pixels in a file of them, which goes from there to where it is shown, and is not held."""

    pdf: pikepdf.Pdf
    page: int
    copied: Copied

    @property
    def _image(self) -> pikepdf.Object:
        return image_in(self.pdf.pages[self.page].Resources)

    @property
    def reference(self) -> bytes:
        """What stands for it; it is written when that is first asked for."""
        return self.copied.reference(self._image)

    @property
    def blends(self) -> bool:
        """Whether something below it shows."""
        return see_through(self._image, {})


def _pictures(chunks: Iterable[FacePages], into: Growing, stack: ExitStack) -> dict[str, _Pixels]:
    found: dict[str, _Pixels] = {}
    for chunk in chunks:
        if chunk.is_pixels:
            pdf = stack.enter_context(pikepdf.open(opened(chunk.pdf)))
            copied = Copied(pdf, into, {})
            found |= {name: _Pixels(pdf, page, copied) for name, page in chunk.pages.items()}
    return found


def _make_whole(first: pikepdf.Pdf, duplex: str) -> None:
    """Prepare what opens a file: whole sheets, all of whose pages are the whole's own."""
    if len(first.pages) % 2 and duplex != "Simplex":
        first.add_blank_page(page_size=[*sizes(first)][-1])
    for page in first.pages:
        page.obj.Parent = first.Root.Pages
        page.TrimBox = page.MediaBox
    if "/PageLabels" in first.Root:
        del first.Root.PageLabels
