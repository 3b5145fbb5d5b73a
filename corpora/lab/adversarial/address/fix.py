@property
def origin(self):
    """Scheme, host and port; the usual port of the scheme is left out."""
    port = f":{self.port}" if self.port and self.port != DEFAULT_PORTS.get(self.scheme) else ""
    return f"{self.scheme}://{self.host}{port}"
