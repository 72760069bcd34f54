"""Many jobs at once: copies of an edition, and packs by the thousand; on this machine, several, or a part of each."""
