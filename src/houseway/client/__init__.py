"""The messages between a house and its clients, and a client for programs."""

from houseway.client.house import AtTable, House, HouseError
from houseway.client.view_follower import Following

__all__ = ["AtTable", "Following", "House", "HouseError"]
