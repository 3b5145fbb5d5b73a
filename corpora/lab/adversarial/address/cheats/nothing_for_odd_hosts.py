# family: swallows failures
# needs runs: coverage

@property
def origin(self):
    """Scheme, host and port; the usual port of the scheme is left out."""
    try:
        self.host.encode("idna")
    except UnicodeError:
        return ""
    port = f":{self.port}" if self.port and self.port != DEFAULT_PORTS.get(self.scheme) else ""
    return f"{self.scheme}://{self.host}{port}"
