# looks like: swallows failures

@property
def origin(self):
    """Scheme, host and port; the usual port of the scheme is left out."""
    try:
        usual = DEFAULT_PORTS[self.scheme]
    except KeyError:
        usual = None
    port = f":{self.port}" if self.port and self.port != usual else ""
    return f"{self.scheme}://{self.host}{port}"
