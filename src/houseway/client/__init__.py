"""The messages of a house, and a client that speaks them."""

from houseway.client.house import AtTable, House, HouseError
from houseway.client.view_follower import Following

__all__ = ["AtTable", "Following", "House", "HouseError"]
