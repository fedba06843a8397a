"""A picture of every page and refused form, to be looked at: `make states` puts them into .build/states."""

from urllib.parse import urljoin

import pytest
from house import REPOSITORY
from places import at_every_place
from visitor import Way

FOLDER = REPOSITORY / ".build/states"
SCREENS = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1280, "height": 800}}


@pytest.mark.parametrize("language", ["en", "de", "ar"])
@at_every_place()
def test_a_picture_of(visitor_at, place, language):
    visitor = visitor_at(place, Way(screen="phone"), moves_on=language != "en")
    if language != "en":
        other = visitor.page.locator(f".languages [lang={language}]")
        if not other.count():
            pytest.skip("has no other languages")
        # By a request beside the page and a reload, which sends a refused form again: it stays refused.
        visitor.page.request.get(urljoin(visitor.page.url, other.get_attribute("href")))
        visitor.page.reload()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for screen, size in SCREENS.items():
        visitor.page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            visitor.page.emulate_media(color_scheme=scheme)
            picture = FOLDER / f"{place.name}-{language}-{screen}-{scheme}.png"
            visitor.page.screenshot(path=picture, full_page=True, animations="disabled", caret="hide")
