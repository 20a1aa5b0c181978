"""Compare handles (people's names): a case-folded form for equality, and a skeleton that is the same for
handles that look alike.

Unicode publishes a table of confusable characters. The table changes with each version, so it would need a
library that is kept up to date; there is no small one for Python. Two simple rules do most of its work.
First, the letters of a handle must belong to one alphabet, so a single foreign letter cannot hide in a
name. Second, characters that look alike become the same character in the skeleton, so a whole handle cannot
imitate another one. These are letters of other alphabets that look Latin, digits that look like letters,
and pairs of letters that look like one letter.
"""

from __future__ import annotations

from typing import Final
from unicodedata import category, digit, name, normalize

SCRIPTS: Final = frozenset(
    [
        "ARABIC",
        "ARMENIAN",
        "BENGALI",
        "BOPOMOFO",
        "CJK",
        "CYRILLIC",
        "DEVANAGARI",
        "ETHIOPIC",
        "GEORGIAN",
        "GREEK",
        "GUJARATI",
        "GURMUKHI",
        "HANGUL",
        "HEBREW",
        "HIRAGANA",
        "IDEOGRAPHIC",
        "KANNADA",
        "KATAKANA",
        "KATAKANA-HIRAGANA",
        "KHMER",
        "LAO",
        "LATIN",
        "MALAYALAM",
        "MYANMAR",
        "ORIYA",
        "SINHALA",
        "TAMIL",
        "TELUGU",
        "THAANA",
        "THAI",
        "TIBETAN",
    ]
)
"""The alphabets in everyday use (the recommended scripts of UAX 31), as the first words of Unicode's
character names."""
WRITTEN_TOGETHER: Final = (
    frozenset({"CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}),
    frozenset({"CJK", "HANGUL"}),
    frozenset({"CJK", "BOPOMOFO"}),
)
"""Sets of alphabets that are mixed in Japanese, Korean and Chinese."""
INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800") | {
    chr(code) for start, end in ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
    for code in range(start, end + 1)
}  # fmt: skip
"""Characters that Python counts as printable but that are invisible."""

LIKE_LATIN: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјкорсухԁһӏԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυօոսհցզյıɑɡɩ",
    "ABESIJKMHOPCTYXaesijkopcyxdhlqwABEZHIKMNOPTYXayikvopuonuhgqjiagi",
)
"""Letters of other alphabets and rare Latin letters that look like a common Latin letter."""
ALIKE: Final = str.maketrans({**dict.fromkeys("il|", "1"), "0": "o", "’": "'", "`": "'"})
"""Common characters that look alike. A capital I looks like an l, so i and l count as the same."""
PAIRS: Final = (("rn", "m"), ("vv", "w"))
"""Pairs of letters that look like one letter."""
SMALL_CAPITAL: Final = "LETTER SMALL CAPITAL "


def folded(handle: str) -> str:
    """Return a handle in the form in which handles are compared: capitals and compatibility forms are the
    same."""
    return normalize("NFKC", handle).casefold()


def skeleton(handle: str) -> str:
    """Return a text that is the same for handles that look alike.

    >>> skeleton("Ian") == skeleton("lan"), skeleton("Arno") == skeleton("Amo")
    (True, True)
    """
    shown = normalize("NFKC", handle).translate(LIKE_LATIN)
    text = "".join(map(_plain, shown)).casefold().translate(ALIKE)
    for pair, letter in PAIRS:
        text = text.replace(pair, letter)
    return text


def _plain(character: str) -> str:
    """Return the common character for a digit, a dash or a small capital."""
    if character.isascii():
        return character
    value = digit(character, None)
    if value is not None:
        return str(value)
    if category(character) == "Pd":
        return "-"
    letter = name(character, "").partition(SMALL_CAPITAL)[2]
    return letter if len(letter) == 1 else character


def letters_problem(handle: str) -> str:
    """Return a clause that says what is wrong with the letters of a handle, or an empty string."""
    if INVISIBLE.intersection(handle):
        return "it has characters that cannot be seen"
    scripts = {name(letter, "?").split()[0] for letter in handle if category(letter).startswith("L")}
    if scripts - SCRIPTS:
        return "it has letters of a rare alphabet, which can look like other letters"
    if len(scripts) > 1 and not any(scripts <= together for together in WRITTEN_TOGETHER):
        listed = " and ".join(sorted(script.title() for script in scripts))
        return f"it mixes {listed} letters, which can look alike; use one alphabet"
    return ""
