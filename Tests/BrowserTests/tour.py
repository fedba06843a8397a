"""A walk through the places: each is gone to once, and looked at by several tests."""

from house import House
from places import Place
from playwright.sync_api import Browser
from visitor import Visitor, Way


class Tour:
    def __init__(self, browser: Browser):
        self.browser = browser
        self.place: Place | None = None
        self.visitors: dict[Way, Visitor] = {}

    def visitor_at(self, place: Place, house: House, way: Way) -> Visitor:
        """Somebody who has come there in that way; nobody stays at the place before."""
        if place != self.place:
            self.leave()
            self.place = place
        if way not in self.visitors:
            visitor = Visitor(self.browser, house, way)
            try:
                place.go(visitor)
            except BaseException:
                visitor.context.close()
                raise
            self.visitors[way] = visitor
        return self.visitors[way]

    def leave(self) -> None:
        for visitor in self.visitors.values():
            visitor.context.close()
        self.visitors = {}
