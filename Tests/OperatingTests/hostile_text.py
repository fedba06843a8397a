"""Texts that are harmless by `Character` and not by scalar: every character that means something somewhere, with scalars
beside it that make it part of another letter."""

import functools
import unicodedata
import xml.etree.ElementTree as ElementTree

import html5lib

MEANING = "<>&\"',;:=%\\/[]{}\r\n"
BEHIND = "\u0301\u200D\uFE0F\u20E3\u0903\U0001F3FB\U000E0041"
BEFORE = "\u0600\u0D4E\U000110BD"
# What no name may hold: they only hide something.
INVISIBLE = set("\u200D\U000E0041\u0600\U000110BD\r\n")
HARMLESS = "zq zqx"


def texts(characters: str = MEANING, behind: str = BEHIND, before: str = BEFORE) -> str:
    """Each with each in one text, with a word behind that would become a tag's or an attribute's name.

    One text finds what one request for each would: as long as a reader takes what stands before for text it meets the
    next in the same state, and the first that is not taken for text changes what is compared.
    """
    pairs = [character + mark for character in characters for mark in behind]
    pairs += [mark + character for character in characters for mark in before]
    return "".join(f"{pair}zqx " for pair in pairs)


# Whole tags and attributes, their quotes and brackets hidden on either side.
ELEMENTS = [
    "\"\u0301>\u0301\u0600<plaintext zqx \u0600>", "'\u200D>\u20E3\u0D4E<zqx a=1 \u0D4E>", "a\"\u0301 zqx=\"1@b.c",
    "\U000110BD</\uFE0Ftitle>\u0903\U000110BD<zqx>\U0001F3FB",
]
HOSTILE = [texts(), *ELEMENTS]


@functools.lru_cache(maxsize=64)
def tree(html: str) -> tuple:
    """Tags and the names of their attributes, without any text."""

    def shape(element: ElementTree.Element) -> tuple:
        return element.tag, tuple(sorted(element.attrib)), tuple(shape(child) for child in element)

    return shape(html5lib.parse(html, treebuilder="etree", namespaceHTMLElements=False))


def values(html: str) -> list[str]:
    """What stands in the fields of the forms."""
    document = html5lib.parse(html, treebuilder="etree", namespaceHTMLElements=False)
    return [field.get("value", "") for field in document.iter("input")]


def is_shown(text: str) -> bool:
    """Whether a terminal shows it as it is: neither controls nor format characters but joiners."""
    return all(unicodedata.category(each) not in ("Cc", "Cf", "Zl", "Zp") or each in "\u200C\u200D" for each in text)
