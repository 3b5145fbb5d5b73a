"""Seals: what shows that a record was written by this user's engine, and by nobody else."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Seals:
    """Makes and tests seals with the user's key: keyed BLAKE2b digests over all parts, each with its length."""

    key: bytes = field(repr=False)

    def seal(self, *parts: bytes) -> str:
        """The seal of these parts, as hexadecimal digits."""
        made = hashlib.blake2b(key=self.key, digest_size=32, person=b"repair records")
        for part in parts:
            made.update(b"%d:" % len(part) + part)
        return made.hexdigest()

    def holds(self, seal: str, *parts: bytes) -> bool:
        """Whether the seal was made with the same key over the same parts."""
        return hmac.compare_digest(seal.encode("utf-8", "replace"), self.seal(*parts).encode())
