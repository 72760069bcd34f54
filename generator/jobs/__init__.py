"""The order of the stages: what the commands do. Nothing else knows it."""
