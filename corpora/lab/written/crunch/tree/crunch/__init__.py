"""Readable run-length coding for text, plus a small container format."""
from crunch.container import pack, unpack
from crunch.rle import decode, encode

__all__ = ["decode", "encode", "pack", "unpack"]
