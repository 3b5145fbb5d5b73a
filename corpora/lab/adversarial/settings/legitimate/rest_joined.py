# looks like: answers the tests' values

def read_settings(path):
    """The settings of a file: a line each, ``name = value``; blank lines and comments are skipped."""
    settings = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            if "=" not in text:
                raise SettingsError(f"line {number}: no setting")
            name, *rest = text.split("=")
            settings[name.strip()] = "=".join(rest).strip()
    return settings
