"""Plans for guillotines and files for cutting machines."""
