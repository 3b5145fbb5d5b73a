"""Plugin manifests: 'name: needed, needed, maybe?' - one per line."""
from .errors import PluginError
from .spec import PluginSpec


def parse_manifest(line):
    name, colon, deps = line.partition(":")
    name = name.strip()
    if not name or not colon:
        raise PluginError(f"bad manifest line {line!r}")
    names = [d.strip() for d in deps.split(",") if d.strip()]
    return PluginSpec(
        name,
        requires=tuple(d for d in names if not d.endswith("?")),
        optional=tuple(d[:-1] for d in names if d.endswith("?")),
    )


def load_manifests(text, registry):
    """Register everything in a manifest text; '#' starts a comment line."""
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            registry.register(parse_manifest(line))
