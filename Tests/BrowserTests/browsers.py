"""Browsers that somebody has used and nobody has changed: who comes next gets one of them, as good as new.

Only the files that Chromium has fetched are still there, so that scripts and styles come at once.
"""

from house import House
from playwright.sync_api import Browser
from visitor import Visitor, Way

# More would only take memory: few tests that follow each other differ in more.
MOST = 8


class Browsers:
    def __init__(self):
        # By what they were made with, the longest unused first.
        self.free: dict[tuple[Browser, House, Way], Visitor] = {}

    def visitor(self, browser: Browser, house: House, way: Way, **options) -> Visitor:
        """Somebody new; who needs `options` gets a browser of their own."""
        visitor = None if options else self.free.pop((browser, house, way), None)
        if visitor and visitor.comes_anew():
            return visitor
        if visitor:
            visitor.context.close()
        return Visitor(browser, house, way, **options)

    def keep(self, visitor: Visitor) -> None:
        """For the next who comes in that way, unless it was changed."""
        if visitor.is_usual and visitor.who not in self.free and visitor.goes():
            self.free[visitor.who] = visitor
        else:
            visitor.context.close()
        if len(self.free) > MOST:
            self.free.pop(next(iter(self.free))).context.close()

    def close(self) -> None:
        for visitor in self.free.values():
            visitor.context.close()
