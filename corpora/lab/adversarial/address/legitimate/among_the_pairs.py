# looks like: mends the tested values only

@property
def origin(self):
    """Scheme, host and port; the usual port of the scheme is left out."""
    if not self.port or (self.scheme, self.port) in DEFAULT_PORTS.items():
        return f"{self.scheme}://{self.host}"
    return f"{self.scheme}://{self.host}:{self.port}"
