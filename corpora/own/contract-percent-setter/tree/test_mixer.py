import pytest

from mixer import Channel


@pytest.fixture
def voice():
    return Channel("voice", 80)


@pytest.mark.parametrize("level", [0, 33.3, 100])
def test_level_is_kept(voice, level):
    voice.level = level
    assert voice.level == level


@pytest.mark.parametrize("level", [-1, 101])
def test_level_is_a_percentage(voice, level):
    with pytest.raises(ValueError, match="not within 0 and 100"):
        voice.level = level


def test_new_channels_are_checked():
    with pytest.raises(ValueError, match="level of bass"):
        Channel("bass", 120)


@pytest.mark.parametrize("level", ["50", None, True])
def test_level_is_a_number(voice, level):
    with pytest.raises(TypeError):
        voice.level = level


def test_muted_channels_are_silent_and_remember(voice):
    voice.toggle()
    assert voice.level == 0
    voice.toggle()
    assert voice.level == 80


def test_fading_ends_at_the_bounds(voice):
    voice.fade(90)
    assert voice.level == 0
    voice.fade(-300)
    assert voice.level == 100
