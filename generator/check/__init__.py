"""What is right as a pack but would not print well."""
