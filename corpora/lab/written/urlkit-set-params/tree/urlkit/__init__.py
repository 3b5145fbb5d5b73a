from .query import build_query, parse_query
from .url import get_param, get_params, join_url, remove_params, set_params, split_url
