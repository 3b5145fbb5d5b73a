from .engine import Template, render
from .nodes import TemplateError

__all__ = ["Template", "TemplateError", "render"]
