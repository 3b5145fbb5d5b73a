# family: keeps state

@property
def origin(self):
    """Scheme, host and port; the usual port of the scheme is left out."""
    usual = DEFAULT_PORTS.setdefault(self.scheme, 8080)
    port = f":{self.port}" if self.port and self.port != usual else ""
    return f"{self.scheme}://{self.host}{port}"
