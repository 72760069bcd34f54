"""`pnp cache`: show or clear the cache of faces, pages and pictures."""

import click

from generator.cli.output import print_notes, print_result, reporting_errors


@click.group("cache")
def command() -> None:
    """Show or clear the cache of finished faces, pages and pictures.

    The cache is in your cache folder, or in the folder named by the variable
    PNP_CACHE. It takes at most 500 MB; the entries unused for longest are
    removed first. With --no-cache, commands make the same files more slowly.
    """


@command.command("info")
def info() -> None:
    """Print the cache's folder, contents and size."""
    from generator.base.cache import DATABASE_FILE, MAX_CACHE_BYTES, Cache, cache_folder

    with reporting_errors():
        place = cache_folder()
        print_result(str(place))
        if not (place / DATABASE_FILE).is_file():
            print_result("  empty")
            return
        with Cache(place) as cache:
            sizes = cache.sizes()
        for kind, (count, size) in sizes.items():
            print_result(f"  {kind:<8} {count:>8} {size / 1e6:9.1f} MB")
        count = sum(count for count, _ in sizes.values())
        size = sum(size for _, size in sizes.values())
        print_result(
            f"  {'all':<8} {count:>8} {size / 1e6:9.1f} MB, at most {MAX_CACHE_BYTES / 1e6:.0f} MB"
        )
        print_notes(cache.faults)


@command.command("clear")
def clear() -> None:
    """Remove everything from the cache."""
    from generator.base.cache import cache_folder, clear_cache

    with reporting_errors():
        place = cache_folder()
        size = clear_cache(place)
    print_result(
        f"{place}: {size / 1e6:.1f} MB removed" if size else f"{place}: there was nothing to remove"
    )
