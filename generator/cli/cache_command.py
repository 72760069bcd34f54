"""`pnp cache`: what was made before, and is not made again."""

import click

from generator.cli.terminal import notes, running, say


@click.group("cache")
def command() -> None:
    """What pnp made before and need not make again: faces, pages, pictures.

    It lies in your cache folder, or in the one that the variable PNP_CACHE
    names, and takes 500 MB at most: what was not used for longest goes first.
    The same files are made without it, with --no-cache, only more slowly.
    """


@command.command("info")
def info() -> None:
    """Say where it is, what is in it, and how much room it takes."""
    from generator.core.cache import FILE, LIMIT, Cache, folder

    with running():
        place = folder()
        say(str(place))
        if not (place / FILE).is_file():
            say("  empty")
            return
        with Cache(place) as cache:
            sizes = cache.sizes()
        for kind, (count, size) in sizes.items():
            say(f"  {kind:<8} {count:>8} {size / 1e6:9.1f} MB")
        count, size = (sum(each) for each in zip((0, 0), *sizes.values(), strict=True))
        say(f"  {'all':<8} {count:>8} {size / 1e6:9.1f} MB, at most {LIMIT / 1e6:.0f} MB")
        notes(cache.faults)


@command.command("clear")
def empty() -> None:
    """Remove all of it."""
    from generator.core.cache import clear, folder

    with running():
        place = folder()
        size = clear(place)
    say(f"{place}: {size / 1e6:.1f} MB removed" if size else f"{place}: there was nothing to remove")
