"""A walk through the places: each is gone to once in each way, and looked at by several tests."""

from house import House
from places import Place
from playwright.sync_api import Browser
from visitor import Visitor, Way


class Tour:
    """Those who walk come again as somebody new: a browser for each place would cost more than the look at it."""

    def __init__(self, browser: Browser):
        self.browser = browser
        self.place: Place | None = None
        self.visitors: dict[tuple[House, Way], Visitor] = {}
        # Who stands at the place, as it was when they came.
        self.present: set[tuple[House, Way]] = set()

    def visitor_at(self, place: Place, house: House, way: Way, moves_on: bool = False) -> Visitor:
        """Somebody who has come there in that way. `moves_on`: the test leaves the place, and nobody looks after it."""
        if place != self.place:
            self.place, self.present = place, set()
        who = (house, way)
        if who not in self.present:
            self._go(who)
            self.present.add(who)
        if moves_on:
            self.present.remove(who)
        return self.visitors[who]

    def _go(self, who: tuple[House, Way]) -> None:
        visitor = self.visitors.pop(who, None)
        if visitor and not visitor.comes_anew():
            visitor.context.close()
            visitor = None
        visitor = visitor or Visitor(self.browser, *who)
        try:
            self.place.go(visitor)
        except BaseException:
            visitor.context.close()
            raise
        self.visitors[who] = visitor

    def leave(self) -> None:
        for visitor in self.visitors.values():
            visitor.context.close()
        self.visitors = {}
