from dataclasses import dataclass
from typing import Callable, Optional, Tuple


@dataclass(frozen=True)
class PluginSpec:
    """What the registry knows of a plugin.

    ``requires`` names plugins without which it cannot run. With those in
    ``optional`` it works together if they are there, but it can do without.
    """

    name: str
    requires: Tuple[str, ...] = ()
    optional: Tuple[str, ...] = ()
    start: Optional[Callable[[], None]] = None
    stop: Optional[Callable[[], None]] = None
