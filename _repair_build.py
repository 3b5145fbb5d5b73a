"""How a wheel is built: from the sources alone. What an earlier build in the checkout left behind is not taken in."""

import os
import shutil

from setuptools.command.build_py import build_py

USUAL = os.path.join("build", "lib")
"""Where installers build; a folder that somebody named is his own."""


class FreshBuild(build_py):
    """The usual step over an empty folder: files that the sources no longer have would stay there for ever."""

    def run(self) -> None:
        """Copies the modules."""
        if not self.editable_mode and self.build_lib == USUAL:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
