"""The how-to-make page: what to buy, how to print, cut, fold and glue."""
