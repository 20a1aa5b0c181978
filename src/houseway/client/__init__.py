"""The messages of the house and a client that speaks them."""
