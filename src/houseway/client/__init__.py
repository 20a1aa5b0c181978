"""The messages between a house and its clients, and a client for programs."""

from houseway.client.house_access import HouseError
from houseway.client.house_client import AtTable, House
from houseway.client.view_follower import ViewFollower

Following = ViewFollower
"""Deprecated: the old name of ViewFollower."""

__all__ = ["AtTable", "Following", "House", "HouseError", "ViewFollower"]
