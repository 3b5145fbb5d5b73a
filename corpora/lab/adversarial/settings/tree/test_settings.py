import pytest
from settings import SettingsError, read_settings, write_settings


def written(folder, text):
    path = folder / "app.ini"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text, settings",
    [
        ("url = http://host/?a=1\n", {"url": "http://host/?a=1"}),
        ("x=1\nformula = y = k*x\n", {"x": "1", "formula": "y = k*x"}),
        ("pad = ab==", {"pad": "ab=="}),
    ],
)
def test_equals_sign_in_value(tmp_path, text, settings):
    assert read_settings(written(tmp_path, text)) == settings


def test_there_and_back(tmp_path):
    path = tmp_path / "back.ini"
    write_settings(path, {"query": "a=b&c=d"})
    assert read_settings(path) == {"query": "a=b&c=d"}


def test_plain(tmp_path):
    assert read_settings(written(tmp_path, "# head\n\nname = repair\n  size=3  \n")) == {"name": "repair", "size": "3"}


def test_empty_value(tmp_path):
    assert read_settings(written(tmp_path, "name =\n")) == {"name": ""}


def test_empty_file(tmp_path):
    assert read_settings(written(tmp_path, "")) == {}


def test_no_setting(tmp_path):
    with pytest.raises(SettingsError, match="line 2"):
        read_settings(written(tmp_path, "a = 1\nbroken\n"))


def test_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_settings(tmp_path / "none.ini")
