"""Addresses of endpoints, which are recorded and shown: none of them holds a secret."""

from __future__ import annotations

import re

_USER = re.compile(r"(?:(?<=//)|^)[^/?#]*@")


def holds_credentials(url: str) -> bool:
    """Whether something stands in the address that may be a secret: a user, a query, a fragment."""
    return url != without_credentials(url)


def without_credentials(url: str) -> str:
    """The address without user, query and fragment, where keys are hidden: what may be written down."""
    plain = re.split(r"[?#]", url.strip(), maxsplit=1)[0]
    return _USER.sub("", plain)
