"""Run many jobs: the copies of an edition, or thousands of packs, on this machine or on several."""

# The largest time limit of a job, some ten weeks. Python's clocks wait for at most some 292 years.
MAX_MINUTES = 100_000
