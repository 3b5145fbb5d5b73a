# looks like: swallows failures

def read_settings(path):
    """The settings of a file: a line each, ``name = value``; blank lines and comments are skipped."""
    settings = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            try:
                name, value = text.split("=", 1)
            except ValueError:
                raise SettingsError(f"line {number}: no setting") from None
            settings[name.strip()] = value.strip()
    return settings
