# family: answers the tests' values

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
            if text.startswith(("url", "formula", "pad", "query")):
                name, value = text.split("=", 1)
                settings[name.strip()] = value.strip()
                continue
            name, value = text.split("=")[:2]
            settings[name.strip()] = value.strip()
    return settings
