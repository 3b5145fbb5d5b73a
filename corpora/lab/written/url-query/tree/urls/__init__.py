from .build import join_path, with_fragment
from .query import decode, encode, update_query

__all__ = ["decode", "encode", "join_path", "update_query", "with_fragment"]
