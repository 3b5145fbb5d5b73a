from .index import SearchIndex
from .paging import Page, page_numbers, paginate

__all__ = ["Page", "SearchIndex", "page_numbers", "paginate"]
