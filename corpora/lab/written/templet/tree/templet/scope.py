def lookup(path, context):
    """Follow a dotted path through mappings and attributes.

    None when any step of it is missing.
    """
    value = context
    for step in path.split("."):
        if isinstance(value, dict):
            value = value.get(step)
        else:
            value = getattr(value, step, None)
        if value is None:
            return None
    return value
