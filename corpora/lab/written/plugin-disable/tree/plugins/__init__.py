from .errors import DependencyCycle, MissingDependency, PluginError, UnknownPlugin
from .manifest import load_manifests
from .registry import Registry
from .spec import PluginSpec

__all__ = ["Registry", "PluginSpec", "load_manifests", "PluginError", "UnknownPlugin",
           "MissingDependency", "DependencyCycle"]
