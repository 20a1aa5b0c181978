"""The messages of a house, and a client that speaks them."""

from houseway.client.following import Following
from houseway.client.house import AtTable, House, HouseError

__all__ = ["AtTable", "Following", "House", "HouseError"]
