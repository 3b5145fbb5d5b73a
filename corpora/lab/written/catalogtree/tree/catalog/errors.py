class CatalogError(Exception):
    pass


class NotFound(CatalogError):
    pass


class NameTaken(CatalogError):
    pass


class BadMove(CatalogError):
    pass
