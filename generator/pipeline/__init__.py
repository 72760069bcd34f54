"""The pipeline: the request of a command, and the steps from a pack to its output files."""
