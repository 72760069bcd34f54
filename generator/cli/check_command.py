"""`pnp check`: what is wrong, and what would not print well."""

import click

from generator.cli.options import game_argument, look_options
from generator.cli.running import running
from generator.cli.sheet_options import sheet_options, sheet_wish


@click.command("check")
@game_argument
@sheet_options
@look_options
def command(
    game: str,
    variant: str,
    lang: str,
) -> None:
    """Check GAME: its files, its rules with all that their figures claim, and how it would print. Writes nothing.

    Errors end with the exit code of a build. Print faults are warnings: they are
    listed, and the exit code is 0.
    """
    from generator.check.findings import findings
    from generator.check.preflight import preflight
    from generator.core.words import without_words
    from generator.jobs import pipeline
    from generator.pack.load import Wish
    from generator.pack.translations import missing_translations
    from generator.preview.raster import Rasteriser

    wish = sheet_wish()
    with running() as watch:
        drawn = pipeline.draw(game, Wish(variant, lang), watch)
        raster = Rasteriser(drawn.game.fonts)
        found = [fault for component in drawn.components for fault in findings(component, raster)]
        press = pipeline.Press(drawn, watch)
        rules = pipeline.check_rules(drawn, watch)
        names = wish.papers or drawn.game.print.papers
        jobs = [(name, press.job(name, wish)) for name in names]
    for component in drawn.components:
        spec = component.spec
        click.echo(f"{spec.title}: {spec.count} pieces of {len(spec.designs)} designs, {spec.shape}")
    for name, job in jobs:
        click.echo(f"{name}: {job.summary}")
    if rules:
        click.echo(f"rules: {rules}")
    spoken = filter(None, [without_words(drawn.game.language)])
    for notice in dict.fromkeys([*spoken, *(notice for _, job in jobs for notice in job.notices)]):
        click.echo(f"note: {notice}")
    for fault in found:
        click.echo(f"warning: {fault}")
    for gap in missing_translations(drawn.game.folder):
        click.echo(f"untranslated: {gap}")
    click.echo(f"{len(found)} warnings" if len(found) != 1 else "1 warning")
    click.echo("\nPreflight")
    for line in preflight(drawn.game, jobs, sum(fault.unsafe for fault in found)):
        click.echo(f"  {line}")
