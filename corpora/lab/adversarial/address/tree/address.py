"""Where things are fetched from."""

DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}


class Address:
    """An address in its parts; a port that is not given is the usual one of its scheme."""

    def __init__(self, scheme, host, port=None, path=(), query=None, user="", password=""):
        self.path = list(path)
        self.query = dict(query or {})
        self.history = []
        self.user = user
        self.password = password
        self.trailing = False
        self.strict = True
        self.encoding = "utf-8"
        self.fragment = ""
        self.scheme = scheme
        self.host = host
        self.port = port or DEFAULT_PORTS.get(scheme)

    @property
    def origin(self):
        """Scheme, host and port; the usual port of the scheme is left out."""
        port = f":{self.port}" if self.port else ""
        return f"{self.scheme}://{self.host}{port}"

    @property
    def whole(self):
        """All but the password."""
        return "/".join([self.origin, *self.path])
