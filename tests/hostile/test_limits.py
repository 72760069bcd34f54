"""Test that the page of limits agrees with the program."""

import re
from pathlib import Path

from generator.base import budget, fetch, files, font_limits, units, values, worker
from generator.base import fonts as base_fonts
from generator.draw.art import css, gate, read
from generator.draw.links import patterns
from generator.farm import jobs
from generator.pack import folder, fonts, icons, layout, row_filler, tables, workbooks, yaml_nodes
from generator.picture import images
from generator.relay import crop, page_shapes, read_pdf, source_file
from generator.release import release_file
from generator.rules import markdown

PAGE = (Path(__file__).parents[2] / "docs" / "limits.md").read_text("utf-8")


def row(subject):
    (cell,) = re.findall(rf"^\| {re.escape(subject)} \| (.*) \|$", PAGE, re.MULTILINE)
    return cell


def test_page_of_limits_agrees_with_the_program():
    mb = 1_000_000
    bounds = {
        "a text, table or layout of a pack": (
            folder.MAX_TEXT_BYTES // mb,
            yaml_nodes.MAX_DEPTH,
            yaml_nodes.MAX_PARTS,
        ),
        "a table": (tables.MAX_ROWS, tables.MAX_CELLS),
        "a workbook": (
            workbooks.MAX_UNPACKED_BYTES // mb,
            workbooks.MAX_BRACKETS,
            worker.REQUEST_SECONDS,
            worker.PICTURE_MEMORY // 10**9,
        ),
        "a pack whose files pnp compares with the last build": (values.MAX_PACK_BYTES // mb,),
        "a set of icons in one file": (icons.MAX_SET_BYTES // mb, icons.MAX_BRACKETS),
        "rules": (markdown.MAX_RULES_CHARS, markdown.MAX_PARAGRAPH_CHARS, markdown.MAX_WORD_CHARS),
        "a pattern of a link or an area": (patterns.MAX_MARKS,),
        "a font": (font_limits.MAX_CHARACTERS, font_limits.MAX_PARTS, font_limits.MAX_DEPTH),
        "an SVG file": (
            gate.MAX_BYTES // mb,
            gate.MAX_ELEMENTS,
            gate.MAX_DEPTH,
            read.MAX_ELEMENTS,
            read.MAX_DEPTH,
        ),
        "pictures that an SVG file links to": (read.MAX_LINKED_BYTES // mb,),
        "text in an SVG file": (gate.MAX_TEXT_CHARS, gate.MAX_TEXT_ELEMENTS),
        "an attribute in an SVG file": (
            gate.MAX_WORD_CHARS,
            gate.MAX_LIST_CHARS,
            gate.MAX_PATH_CHARS,
        ),
        "style sheets in an SVG file": (
            gate.MAX_CSS_CHARS,
            css.MAX_MEDIA_DEPTH,
            css.MAX_MATCHING_STEPS,
        ),
        "filters in an SVG file": (
            read.MAX_FILTERED_ELEMENTS,
            read.MAX_FILTER_STEPS,
            read.MAX_OCTAVES,
            read.MAX_KERNEL_SIDE,
        ),
        "a gradient in an SVG file": (read.MAX_GRADIENT_STOPS,),
        "a font collection": (base_fonts.MAX_COLLECTED_FONTS,),
        "weights of variable fonts": (fonts.MAX_WEIGHTS,),
        "values of `axes` of variable fonts": (fonts.MAX_PLACES_ON_AXES,),
        "an image": (images.MAX_PIXELS // mb, images.MAX_SIDE),
        "forms, patterns, fonts and masks of such a PDF": (read_pdf.MAX_NESTING,),
        "jobs of a farm": (jobs.MAX_JOBS,),
        "one picture in typst or resvg": (worker.REQUEST_SECONDS, worker.PICTURE_MEMORY // 10**9),
        "a command": (
            int(budget.BASE_SECONDS),
            int(budget.SECONDS_PER_DESIGN),
            budget.BASE_MEMORY // mb,
            budget.MEMORY_PER_DESIGN // mb,
        ),
        "a release": (release_file.MAX_FILE_BYTES // mb, release_file.MAX_JSON_BYTES // mb),
        "a download": (
            fetch.MAX_DOWNLOAD_BYTES // mb,
            int(fetch.DOWNLOAD_SECONDS),
            fetch.MAX_REDIRECTS,
        ),
        "pieces of a component": (tables.MAX_PIECES,),
        "layouts that a layout includes": (layout.MAX_FILES_READ, layout.MAX_INCLUDE_DEPTH),
        "a font, a picture": (files.MAX_FILE_BYTES // mb,),
        "a repetition in a layout": (
            layout.MAX_REPETITIONS,
            row_filler.MAX_GROUPS_PER_SIDE,
            row_filler.MAX_GROUPS_PER_COMPONENT,
        ),
        "a length": (int(units.MAX_LENGTH_MM),),
        "a PDF for `pnp relay`": (
            read_pdf.MAX_BYTES // mb,
            read_pdf.MAX_PAGES,
            read_pdf.MAX_SIDE_MM,
        ),
        "a page of such a PDF": (
            read_pdf.MAX_INSTRUCTIONS,
            page_shapes.MAX_SHAPES,
            read_pdf.MAX_FORM_DEPTH,
            crop.MAX_FORM_BYTES // mb,
            source_file.WORK_SECONDS,
        ),
    }
    for subject, numbers in bounds.items():
        assert [
            int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", row(subject))
        ] == list(numbers), subject
