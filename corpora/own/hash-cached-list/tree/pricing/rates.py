"""Rates by zone, looked up once for each set of zones."""

from functools import lru_cache

BASE = {"north": 120, "south": 90, "east": 100, "west": 110}


@lru_cache(maxsize=64)
def mean_rate(zones):
    """The mean rate of some zones."""
    return sum(BASE[zone] for zone in zones) / len(zones)
