"""A pack's folder becomes a `Game`: plain, frozen, checked, with every name resolved."""
