"""Every step from an empty database to the tables that the statements use."""
