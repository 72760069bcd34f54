"""The fonts in which a release's faces are set again: those that it kept, unless the same files are at hand."""

from hashlib import sha256
from pathlib import Path

from generator.core.fonts import FontSet, read_font
from generator.core.problems import Kind, Wrong
from generator.release.manifest import KeptFont, Release


def fonts_of(release: Release, now: FontSet, folder: Path) -> FontSet:
    """The fonts for a release's faces, written to an empty folder where they are not those of `now`.

    Where a release kept no glyphs, what is called the same now must do.
    """
    if all(_at_hand(font, now) for font in release.fonts):
        return now
    if not all(font.data for font in release.fonts):
        for font in release.fonts:
            _check_family(font, now, release)
        return now
    files = []
    for number, font in enumerate(release.fonts):
        path = folder / f"{number}.ttf"
        path.write_bytes(font.data)
        files.append(read_font(path))
    return FontSet(tuple(sorted(files)))


def _at_hand(font: KeptFont, now: FontSet) -> bool:
    key = (font.family, font.weight, font.italic)
    same = [file for file in now.files if (file.family, file.weight, file.italic) == key]
    return any(sha256(file.path.read_bytes()).hexdigest() == font.digest for file in same)


def _check_family(font: KeptFont, now: FontSet, release: Release) -> None:
    if font.family not in now.families:
        raise Wrong(
            f"release {release.version} is set in {font.family!r}, which it did not keep and which is no more",
            f"one of: {', '.join(now.families)}",
            "put the font file into the pack's fonts/ folder",
            Kind.MISSING,
        )
