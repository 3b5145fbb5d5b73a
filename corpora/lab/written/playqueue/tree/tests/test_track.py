from playqueue.track import Track, format_length, parse_m3u


def test_format_length():
    assert format_length(187) == "3:07"
    assert format_length(3729) == "1:02:09"


def test_str():
    assert str(Track("Blue", "Joni", 60)) == "Joni - Blue (1:00)"


def test_parse_m3u():
    text = "#EXTM3U\n#EXTINF:187,Joni - Blue\nblue.mp3\n"
    assert parse_m3u(text) == [Track("Blue", "Joni", 187)]
