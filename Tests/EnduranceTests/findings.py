"""What must not be: counted by kind, and a few of each in full."""

import threading
from collections import Counter

KINDS = ("lost", "doubled", "half", "500", "crash", "unanswered", "garbled", "let in", "growth", "refused",
         "harness")
# Of each kind, and of each place among its kind.
SHOWN, SHOWN_OF_PLACE = 30, 2


class Findings:
    def __init__(self):
        self.counts: Counter[str] = Counter()
        self.shown: Counter[tuple[str, str]] = Counter()
        self.texts: list[str] = []
        self.lock = threading.Lock()

    def add(self, kind: str, text: str, place: str = "") -> bool:
        """Returns whether it is shown."""
        assert kind in KINDS
        with self.lock:
            self.counts[kind] += 1
            self.shown[kind, place] += 1
            of_kind = sum(min(count, SHOWN_OF_PLACE) for (each, _), count in self.shown.items() if each == kind)
            is_shown = self.shown[kind, place] <= (SHOWN_OF_PLACE if place else SHOWN) and of_kind <= SHOWN
            if is_shown:
                self.texts.append(f"{kind}: {text}")
                # At once: the run may end before it reports.
                print(f"- {self.texts[-1]}", flush=True)
            return is_shown

    def __bool__(self) -> bool:
        return bool(self.counts)
