"""Tiny text templates: ``{{ user.name|upper }}``, ``{% if x %}..{% endif %}``,
``{% for x in items %}..{% endfor %}``."""
from .render import render
from .errors import TemplateError
