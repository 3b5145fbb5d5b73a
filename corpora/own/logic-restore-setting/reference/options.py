"""Options that can be changed for a while."""

from contextlib import contextmanager

DEFAULTS = {"precision": 2, "separator": ",", "trim": True}


class Options:
    """Known names only; what was never set has its default."""

    def __init__(self):
        self._set = {}

    def __getitem__(self, name):
        return self._set.get(name, DEFAULTS[name])

    def __setitem__(self, name, value):
        if name not in DEFAULTS:
            raise KeyError(name)
        self._set[name] = value

    def changed(self):
        return sorted(self._set)

    @contextmanager
    def using(self, **values):
        """These values within the block, and as it was before afterwards, however the block ends."""
        before = dict(self._set)
        try:
            for name, value in values.items():
                self[name] = value
            yield self
        finally:
            self._set = before


def show(number, options):
    text = f"{number:.{options['precision']}f}".replace(".", options["separator"])
    return text.rstrip("0").rstrip(options["separator"]) if options["trim"] else text
