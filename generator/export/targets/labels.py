"""Export to pre-cut sheets: pieces in the slots of a template, with backs behind them and without marks."""

from collections.abc import Iterator
from pathlib import Path

from generator.base.errors import InvalidValueError, Kind, raising_at
from generator.base.files import Outbox
from generator.base.units import format_count
from generator.export import WrittenFile
from generator.export.targets import TargetOptions
from generator.impose.precut import (
    MAX_TEMPLATE_BYTES,
    TEMPLATE_SUFFIX,
    PrecutSheet,
    find_precut_sheet,
    parse_precut,
    read_precut_file,
)
from generator.pack.folder import PackFolder
from generator.pipeline.printing import list_pieces
from generator.pipeline.project import Project


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write one file for all pieces."""
    options = project.request.get(TargetOptions)
    game = project.game
    with raising_at():
        sheet = _template(options.template, PackFolder(game.folder))
        pieces_to_print = list_pieces(project.components, project.print_options)
        if not pieces_to_print:
            raise project.make_empty_error("export")
        pages = sheet.fill_pages(pieces_to_print, options.skip)
    duplex = (
        "DuplexFlipLongEdge"
        if any(page.side.label.endswith("back") for page in pages)
        else "Simplex"
    )
    info = project.document_info(f"{game.name} {game.edition()} – {sheet.title}", duplex)
    with project.watch.stage("pdf"):
        data = project.write_pages(pages, info, project.face_sizes, project.face_pages)
    path = outbox.write(f"{game.stem('labels')}-{sheet.name}.pdf", data)
    yield WrittenFile(path, f"{format_count(len(pieces_to_print), 'piece')} on {sheet.title}")


def _template(name: str, pack: PackFolder) -> PrecutSheet:
    """Return a built-in template, or read one from a file, given by its path or in the pack."""
    if not name.endswith(TEMPLATE_SUFFIX):
        return find_precut_sheet(name)
    path = Path(name)
    if path.is_file():
        return read_precut_file(path)
    try:
        data = pack.read(name, MAX_TEMPLATE_BYTES)
    except InvalidValueError as error:
        # The command line names the file, so the mistake is not one of the pack.
        raise InvalidValueError(error.found, error.expected, error.hint, Kind.USAGE) from None
    return parse_precut(name, data)
