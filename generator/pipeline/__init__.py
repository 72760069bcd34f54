"""The one way through: what is ordered, and the steps from a pack to whatever is made of it."""
