"""What stands in the margins besides the marks: the scale ruler and the footer."""
