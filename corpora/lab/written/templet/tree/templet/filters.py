FILTERS = {}


def register(func):
    FILTERS[func.__name__] = func
    return func


@register
def upper(value):
    return str(value).upper()


@register
def title(value):
    return str(value).title()


@register
def length(value):
    return len(value)


@register
def money(value):
    return f"{value:,.2f}"


@register
def joined(value):
    return ", ".join(str(v) for v in value)
