"""Distances on the globe."""

import math


class Place:
    RADIUS = 6371.0

    def __init__(self, name, latitude, longitude):
        self.name = name
        self.latitude = latitude
        self.longitude = longitude

    @staticmethod
    def haversine(lat1, lon1, lat2, lon2):
        """Kilometres between two points given in degrees."""
        phi1, phi2 = math.radians(lat1), math.radians(lat2)
        dphi = phi2 - phi1
        dlambda = math.radians(lon2 - lon1)
        a = math.sin(dphi / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin(dlambda / 2) ** 2
        return 2 * Place.RADIUS * math.asin(math.sqrt(min(1.0, a)))

    def distance(self, other):
        return self.haversine(self.latitude, self.longitude, other.latitude, other.longitude)

    def nearest(self, places):
        """The closest of some places, itself apart; None where there is no other."""
        others = [place for place in places if place is not self]
        return min(others, key=self.distance, default=None)
