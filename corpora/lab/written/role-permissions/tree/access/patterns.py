"""Permission names such as ``invoice:read`` and patterns for them."""


def split(name):
    """("invoice", "read") for "invoice:read"; ValueError for anything else."""
    resource, sep, action = name.partition(":")
    if not (resource and sep and action) or ":" in action:
        raise ValueError(f"not a permission: {name!r}")
    return resource, action


def matches(pattern, permission):
    """Does ``pattern`` cover ``permission``?

    Either half of a pattern may be ``*``: "invoice:*" covers every action on
    invoices, "*:read" reading of everything.
    """
    return all(
        want in ("*", have)
        for want, have in zip(split(pattern), split(permission))
    )


def any_match(patterns, permission):
    return any(matches(pattern, permission) for pattern in patterns)
