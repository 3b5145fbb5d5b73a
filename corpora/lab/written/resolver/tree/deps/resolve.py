"""Orders packages so that each comes after what it needs."""
from .errors import CycleError
from .index import Index


def install_order(index: Index, wanted) -> list[str]:
    """Names to install for the wanted packages, needed ones first.

    Packages come in the order in which they are wanted and needed, each one
    once.  Raises CycleError or UnknownPackage.
    """
    order: list[str] = []
    path: list[str] = []

    def visit(name, needed_by=None):
        if name in path:
            raise CycleError(path[path.index(name):] + [name])
        if name in order:
            return
        path.append(name)
        for need in index.needs(name, needed_by):
            visit(need, name)
        order.append(name)

    for name in wanted:
        visit(name)
    return order


def layers(index: Index, wanted) -> list[list[str]]:
    """Groups of packages that can be installed at the same time."""
    depth: dict[str, int] = {}
    for name in install_order(index, wanted):
        depth[name] = max((depth[need] + 1 for need in index.needs(name)), default=0)
    groups: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for name, level in depth.items():
        groups[level].append(name)
    return [sorted(group) for group in groups]


def users_of(index: Index, name: str) -> set[str]:
    """Every package that needs name, directly or not."""
    found: set[str] = set()
    todo = [name]
    while todo:
        current = todo.pop()
        for other in index:
            if other not in found and current in index.needs(other):
                found.add(other)
                todo.append(other)
    return found
