from .network import Network
from .planner import NoRoute, Route, cheapest_route, round_trip

__all__ = ["Network", "NoRoute", "Route", "cheapest_route", "round_trip"]
