"""The pictures for joining: a camera reads the code of each, blurred, turned, small and large; people read the text."""

from random import Random

import pytest
import zxingcpp
from PIL import Image, ImageFilter

from firmware.output.screens import phones
from firmware.output.screens.canvas import texts
from firmware.phones.signs import CODE, LETTERS
from firmware.wifi_code import wifi_uri

pytestmark = pytest.mark.slow

ADDRESSES = ("10.42.0.1", "10.42.0.1:8643", "192.168.178.123:8643", "172.16.254.200:18643", "169.254.255.255:65535")
SEEN = 100  # pictures, as a camera sees them


def code(dice: Random) -> str:
    return "".join(dice.choice(LETTERS) for _ in range(CODE))


def as_a_camera_sees(picture: Image.Image, dice: Random) -> Image.Image:
    """The display in its bezel: out of focus, turned, nearer or farther, its pixels not quite white."""
    scale = dice.choice((3, 4, 5, 6))
    glass = picture.convert("L").point(lambda lit: 210 if lit else 25)
    image = Image.new("L", (picture.width + 40, picture.height + 40), 12)
    image.paste(glass, (20, 20))
    image = image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)
    image = image.rotate(dice.uniform(-17, 17), Image.Resampling.BICUBIC, expand=True, fillcolor=60)
    return image.filter(ImageFilter.GaussianBlur(dice.uniform(0.2, 0.28) * scale * 2))


def test_every_picture_is_read_by_a_camera() -> None:
    dice, read = Random(18), 0
    for n in range(SEEN):
        address, sign = ADDRESSES[n % len(ADDRESSES)], code(dice)
        found = zxingcpp.read_barcodes(as_a_camera_sees(phones.joining(address, sign), dice))
        read += [one.text for one in found] == [f"http://{address}/{sign}"]
    assert read == SEEN


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_same_stands_there_as_text(address: str) -> None:
    shown = texts(phones.joining(address, "7F3K9Q"))
    assert shown[-4:] == ("code", "7F3K9Q", "OK: list", "hold OK:back")
    assert "".join(shown[1:-4]) == f"http://{address}/"


def test_the_code_of_the_wifi_is_read_by_a_camera_and_stands_there_as_text() -> None:
    dice, read = Random(18), 0
    for _ in range(SEEN):
        picture = phones.wifi("Lucky Paw WM", f"{code(dice)[:4]}-9qx-m4w".lower())
        (found,) = zxingcpp.read_barcodes(as_a_camera_sees(picture, dice))
        _title, name, _word, password, *_keys = texts(picture)
        read += found.text == f"WIFI:T:WPA;S:{name};P:{password};;"
    assert read == SEEN


@pytest.mark.parametrize(
    "parts",
    [
        ("a hotspot needs an installed kit", "sudo scripts/install"),
        ("the service is closed", "sudo luckypaw phones on"),
        ("panel.phones_port 65535: taken by another program",),
    ],
)
def test_why_no_phone_can_join_fits(parts: tuple[str, ...]) -> None:
    assert " ".join(parts) in " ".join(texts(phones.closed(parts)))


WIFIS = [  # name, password, whether there is a code, how many pictures
    ("Lucky Paw 7F", "meow-7f3-k9q", True, 1),
    ("Lucky Paw 7F", "meow-7f3-k9q2", True, 3),  # no room beside it
    ("Lucky Paw Zuhause", "a password of 8 to", True, 3),  # 35 bytes
    ("Lucky Paw Zuhause", "a password of 8 to6", False, 3),
    ("Lucky Paw Zuhause", "a password of ; to", False, 3),  # escaped
    ("Spieleabend bei Familie Müller", "unser-langes-passwort", False, 3),
    ("a" * 32, "b" * 63, False, 3),
    ("a" * 32, "0123456789abcdef" * 4, False, 3),
]


@pytest.mark.parametrize(("name", "password", "code", "many"), WIFIS)
def test_a_wifi_has_a_code_that_cameras_read_or_none_and_its_whole_text(
    name: str, password: str, code: bool, many: int
) -> None:
    shown = [picture(more="turn") for picture in phones.wifi_pages(name, password)]
    assert len(shown) == many
    read = [one.text for picture in shown for one in zxingcpp.read_barcodes(as_a_camera_sees(picture, Random(3)))]
    assert read == [wifi_uri(name, password)] * code
    words = "".join("".join(texts(picture)) for picture in shown).replace("·", " ")
    assert name in words and password in words


def test_signs_of_the_form_are_escaped_in_a_name_that_people_have_chosen() -> None:
    assert wifi_uri('Cats; "Paw":\\', "a,b;c:dddd") == r"WIFI:T:WPA;S:Cats\; \"Paw\"\:\\;P:a\,b\;c\:dddd;;"


def test_a_module_is_two_pixels_wide_and_the_pattern_is_clear_of_the_edge() -> None:
    picture = phones.joining(ADDRESSES[-1], "7F3K9Q")
    left = picture.crop((0, 0, 64, 64))
    box = Image.eval(left, lambda lit: 255 - lit).getbbox()
    assert box is not None
    assert min(box[0], box[1], 64 - box[2], 64 - box[3]) >= 3
    cells = {left.getpixel((x, y)) == left.getpixel((x + 1, y)) for x in range(box[0], box[2], 2) for y in range(64)}
    assert cells == {True}
