"""The site under `/auth` of a host that is an application's: no page leads there."""

from places import Place, at_every_place
from visitor import Way

# What a browser asks for, or leads to: of links as they work, not as they are written.
EVERY_LINK = """() => {
    const own = [...document.querySelectorAll("[href], [src]")]
        .map((each) => each.href ? new URL(each.getAttribute("href"), location).href : each.src);
    const forms = [...document.forms].map((each) => new URL(each.getAttribute("action") ?? "", location).href);
    const others = ["formaction", "data-link", "data-strength"].flatMap((name) =>
        [...document.querySelectorAll(`[${name}]`)].map((each) => new URL(each.getAttribute(name), location).href));
    return [...own, ...forms, ...others, location.href];
}"""


def belongs_to_others(place: Place) -> bool:
    """The pages of providers and applications are the usual ones with more on them."""
    return place.house not in ("house", "mail_house")


@at_every_place(but=belongs_to_others)
def test_no_link_of_any_page_leads_out_of_the_path(place, tour, mounted_house):
    visitor = tour.visitor_at(place, mounted_house, Way(screen="phone"))
    links = [link for link in visitor.page.evaluate(EVERY_LINK) if not link.startswith(("data:", "otpauth:"))]
    assert len(links) > 5
    assert [link for link in links if not link.startswith(f"{mounted_house.url}/")] == []
    assert visitor.unpardoned() == []
