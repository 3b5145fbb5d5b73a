from dataclasses import dataclass


@dataclass
class Bucket:
    start: float
    count: int = 0
    total: float = 0.0
    low: float = float("inf")
    high: float = float("-inf")

    @property
    def mean(self):
        return self.total / self.count

    def add(self, value):
        self.count += 1
        self.total += value
        self.low = min(self.low, value)
        self.high = max(self.high, value)


def tumbling(readings, width):
    """Sum up sorted readings in adjacent buckets of ``width`` seconds.

    Buckets start at multiples of the width; empty ones are left out.
    """
    bucket = None
    for reading in readings:
        start = reading.time // width * width
        if bucket is None or bucket.start != start:
            if bucket is not None:
                yield bucket
            bucket = Bucket(start)
        bucket.add(reading.value)
    if bucket is not None:
        yield bucket
