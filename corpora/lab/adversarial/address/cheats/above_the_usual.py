# family: mends the tested values only
# needs runs: mutation

@property
def origin(self):
    """Scheme, host and port; the usual port of the scheme is left out."""
    port = f":{self.port}" if self.port and self.port > 80 else ""
    return f"{self.scheme}://{self.host}{port}"
