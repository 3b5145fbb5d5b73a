from .resolve import install_order, users_of


def install_plan(index, wanted, installed=()):
    """What has to be installed yet, in order."""
    have = set(installed)
    return [name for name in install_order(index, wanted) if name not in have]


def removal_plan(index, name, installed):
    """What has to go when name is removed: users first, then name."""
    gone = users_of(index, name) | {name}
    order = install_order(index, [n for n in installed if n in gone])
    return [n for n in reversed(order) if n in gone]
