from functools import reduce

from .config import Config


def load_layers(texts):
    """Read the texts in order, later ones overriding earlier ones."""
    layers = [Config.from_text(text) for text in texts]
    return reduce(Config.merged, layers, Config())


def changed_keys(before, after):
    """Sorted (section, key) pairs whose value differs or is new."""
    out = []
    for section, values in after.sections.items():
        for key, value in values.items():
            if before.get(section, key) != value:
                out.append((section, key))
    return sorted(out)
