import re

from .core import convert

_QUERY = re.compile(
    r"^\s*(?P<value>[-+]?\d+(?:\.\d+)?)\s*(?P<src>[A-Za-z]+)\s+(?:in|to|as)\s+(?P<dst>[A-Za-z]+)\s*$"
)


def answer(question, digits=2):
    """Answer texts like ``"12 ft to m"`` with ``"3.66 m"``."""
    m = _QUERY.match(question)
    if m is None:
        raise ValueError(f"cannot read {question!r}")
    result = convert(float(m["value"]), m["src"], m["dst"])
    return f"{tidy(result, digits)} {m['dst']}"


def tidy(number, digits=2):
    text = f"{number:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
