"""The server: live tables for browsers and for programs."""
