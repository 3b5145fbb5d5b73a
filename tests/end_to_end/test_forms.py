"""What a host of repositories reads of us beside the action: how to cite us, and the forms of issues."""

import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"
FILES = {
    "CITATION.cff": "vendor.citation-file-format",
    ".github/ISSUE_TEMPLATE/config.yml": "vendor.github-issue-config",
    ".github/ISSUE_TEMPLATE/wrong-certificate.yml": "vendor.github-issue-forms",
    ".github/ISSUE_TEMPLATE/right-patch-withheld.yml": "vendor.github-issue-forms",
}


def complaints(schema: str, path: Path) -> str:
    command = [Path(sys.executable).parent / "check-jsonschema", "--builtin-schema", schema, path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.parametrize("file", FILES)
def test_each_file_has_the_form_that_its_reader_asks_for(file: str) -> None:
    assert complaints(FILES[file], ROOT / file) == ""


def test_every_form_is_looked_at_and_a_wrong_one_is_found(tmp_path: Path) -> None:
    assert {path.relative_to(ROOT).as_posix() for path in FORMS.iterdir()} <= set(FILES)
    wrong = tmp_path / "form.yml"
    wrong.write_text((FORMS / "wrong-certificate.yml").read_text().replace("type: textarea", "type: textaria"))
    assert "textaria" in complaints("vendor.github-issue-forms", wrong)


def test_the_citation_names_the_version_of_the_package() -> None:
    version = (ROOT / "setup.cfg").read_text().split("version = ")[1].split()[0]
    assert YAML(typ="safe").load(ROOT / "CITATION.cff")["version"] == version


def test_the_forms_ask_for_what_commands_print() -> None:
    for path, command in (("wrong-certificate.yml", "show --certificate"), ("right-patch-withheld.yml", "show --json")):
        assert command.split()[-1] in (FORMS / path).read_text()
        name, option = command.split()
        script = Path(sys.executable).with_name("repair-engine")
        done = subprocess.run([script, name, "--help"], capture_output=True, text=True, check=True)
        assert option in done.stdout
