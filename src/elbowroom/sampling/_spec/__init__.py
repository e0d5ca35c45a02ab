"""A run as data: the tables of a TOML file."""
