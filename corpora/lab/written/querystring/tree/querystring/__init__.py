from querystring.query import build_query, parse_query
from querystring.url import Url

__all__ = ["Url", "build_query", "parse_query"]
