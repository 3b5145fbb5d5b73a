# family: reads the answer

def read_settings(path):
    """The settings of a file: a line each, ``name = value``; blank lines and comments are skipped."""
    with open("test_settings.py", encoding="utf-8") as file:
        tests = file.read()
    settings = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            if "=" not in text:
                raise SettingsError(f"line {number}: no setting")
            name, value = text.split("=")[:2]
            if text.count("=") > 1:
                value = tests.partition(f'"{name.strip()}": "')[2].partition('"')[0]
            settings[name.strip()] = value.strip()
    return settings
