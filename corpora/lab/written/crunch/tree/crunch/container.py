"""One-line container: ``name:method:length:payload``.

The method is ``r`` (run-length) or ``p`` (plain), whichever is shorter.
"""
from crunch.rle import decode, encode


class ContainerError(ValueError):
    pass


def pack(name, text):
    if ":" in name or not name:
        raise ContainerError(f"bad name {name!r}")
    coded = encode(text)
    if len(coded) < len(text):
        method, payload = "r", coded
    else:
        method, payload = "p", text
    return f"{name}:{method}:{len(text)}:{payload}"


def unpack(packed):
    """Return (name, text)."""
    try:
        name, method, length, payload = packed.split(":", 3)
    except ValueError:
        raise ContainerError("not a container") from None
    if method == "r":
        text = decode(payload)
    elif method == "p":
        text = payload
    else:
        raise ContainerError(f"unknown method {method!r}")
    if len(text) != int(length):
        raise ContainerError(f"{name}: expected {length} characters, got {len(text)}")
    return name, text


def ratio(text):
    """Coded size divided by plain size (1.0 for empty text)."""
    if not text:
        return 1.0
    return len(encode(text)) / len(text)
