"""A look at files of the user, and the configuration that results."""
