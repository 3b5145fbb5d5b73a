from .table import find


class Incompatible(ValueError):
    pass


def convert(value, source, target):
    """Convert ``value`` from one unit to another of the same kind."""
    src, dst = find(source), find(target)
    if src.kind != dst.kind:
        raise Incompatible(f"{src.symbol} ({src.kind}) and {dst.symbol} ({dst.kind})")
    base = value * src.factor + src.offset
    return (base - dst.offset) / dst.factor
