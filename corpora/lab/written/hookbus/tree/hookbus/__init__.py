from .manager import PluginManager
from .spec import HookError, HookSpec, hook

__all__ = ["HookError", "HookSpec", "PluginManager", "hook"]
