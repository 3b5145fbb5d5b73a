from .reading import Reading, parse_line
from .station import Station
from .tumbling import Bucket, tumbling
from .window import RollingWindow

__all__ = ["Reading", "parse_line", "Station", "Bucket", "tumbling", "RollingWindow"]
