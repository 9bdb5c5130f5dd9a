"""The build step that puts the workflow, whose folders lie beside src, into the wheel."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

# Where noneuclid_compare.jobs.locations finds these parts in an installed package.
TARGET = "noneuclid_compare/workflow_files"
PARTS = ("workflow", "config", "resources", "constraints.txt", "environment.yml")
FETCHED = Path("resources/data")


class BuildWithWorkflow(build_py):
    """Copy the parts; an editable install needs none, it reads them where they are."""

    def run(self):
        """Build the package, then add the parts."""
        super().run()
        if not self.editable_mode:
            for part in map(Path, PARTS):
                for file in sorted(part.rglob("*")) if part.is_dir() else [part]:
                    if file.is_file() and FETCHED not in file.parents:
                        target = Path(self.build_lib, TARGET, file)
                        self.mkpath(str(target.parent))
                        self.copy_file(str(file), str(target))


setup(cmdclass={"build_py": BuildWithWorkflow})
