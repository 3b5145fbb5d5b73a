"""Settings of a small server, read from text."""


class SettingError(ValueError):
    """A setting has a value that cannot be used."""


def parse_flag(text):
    """True or False from yes/no words."""
    word = text.strip().lower()
    if word in ("yes", "on", "true", "1"):
        return True
    if word in ("no", "off", "false", "0"):
        return False
    raise SettingError(f"not a flag: {text!r}")


def parse_port(text):
    """A TCP port, 1 to 65535."""
    try:
        port = int(text)
    except ValueError as problem:
        raise SettingError(f"not a port: {text!r}") from problem
    if port > 65535:
        raise SettingError(f"port out of range: {port}")
    return port


def parse_address(text, default_port=8080):
    """(host, port) from ``host`` or ``host:port``."""
    host, colon, port = text.partition(":")
    if not host:
        raise SettingError(f"no host in {text!r}")
    return host, parse_port(port) if colon else default_port
