"""Run many jobs: the copies of an edition, or thousands of packs, on this machine or on several."""
