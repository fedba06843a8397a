"""A browser that is used again is as good as new, and one that was changed for good is not used again."""

import pytest
from browsers import Browsers
from visitor import Way

STATE = """() => ({
    reduced: matchMedia("(prefers-reduced-motion: reduce)").matches, dark: matchMedia("(prefers-color-scheme: dark)").matches,
    forced: matchMedia("(forced-colors: active)").matches, width: innerWidth, before: history.length,
    kept: [sessionStorage.length, localStorage.length, document.cookie], text: getComputedStyle(document.body).fontSize,
})"""
CHANGES = {
    "a clock": lambda visitor: visitor.page.clock.install(),
    "a script": lambda visitor: visitor.page.add_init_script("1"),
    "a route": lambda visitor: visitor.context.route("**/none", lambda route: route.abort()),
    "a listener": lambda visitor: visitor.page.on("request", lambda request: None),
    "a second page": lambda visitor: visitor.context.new_page().close(),
    "an authenticator": lambda visitor: visitor.context.new_cdp_session(visitor.page),
    "no network": lambda visitor: visitor.context.set_offline(True),
}


@pytest.fixture
def own_browsers():
    browsers = Browsers()
    yield browsers
    browsers.close()


def test_who_comes_next_finds_nothing_of_the_last(own_browsers, chromium, house):
    first = own_browsers.visitor(chromium, house, Way())
    first.visit("/login")
    fresh = first.page.evaluate(STATE)
    first.page.emulate_media(reduced_motion="no-preference", forced_colors="active", color_scheme="dark")
    first.page.set_viewport_size({"width": 320, "height": 320})
    first.set_text_size(30)
    first.page.route("**/login", lambda route: route.abort())
    first.visit("/signup")
    first.page.evaluate("sessionStorage.a = localStorage.a = 1, document.cookie = 'a=b'")
    used = first.page.evaluate(STATE)
    assert [name for name in fresh if used[name] == fresh[name]] == []
    own_browsers.keep(first)
    second = own_browsers.visitor(chromium, house, Way())
    assert second is first
    second.visit("/login")
    # Where a visitor waits for the next is the one page before.
    assert second.page.evaluate(STATE) == fresh | {"before": 2}
    assert not any("/signup" in each for each in second.requests)


@pytest.mark.parametrize("change", CHANGES)
def test_nobody_gets_a_browser_that_has(own_browsers, chromium, house, change):
    visitor = own_browsers.visitor(chromium, house, Way())
    visitor.visit("/login")
    CHANGES[change](visitor)
    own_browsers.keep(visitor)
    assert own_browsers.free == {}
