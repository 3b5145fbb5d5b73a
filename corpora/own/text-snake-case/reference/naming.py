"""Names in the spelling of other languages."""

import re

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def words(name):
    """The words of a name in any spelling, in lower case."""
    spaced = _WORD_START.sub(" ", name)
    return [word.lower() for word in re.split(r"[\s_\-]+", spaced) if word]


def snake(name):
    return "_".join(words(name))


def camel(name):
    """getHttpResponse: the first word small, the others with a capital."""
    first, *rest = words(name) or [""]
    return first + "".join(word.capitalize() for word in rest)


def constant(name):
    return snake(name).upper()
