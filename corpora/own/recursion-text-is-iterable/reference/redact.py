"""Hide secrets in nested data before it is logged."""

SECRET = ("password", "token", "secret")


def is_secret(key):
    return any(word in str(key).lower() for word in SECRET)


def redact(value, mask="***"):
    """A copy in which values under secret keys are masked, however deep."""
    if isinstance(value, dict):
        return {key: mask if is_secret(key) else redact(inner, mask) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(redact(inner, mask) for inner in value)
    return value


def depth(value):
    """How many levels of containers there are."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return 1 + max((depth(inner) for inner in value), default=0)
    return 0
