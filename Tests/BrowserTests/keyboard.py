"""A visitor without a mouse."""

from playwright.sync_api import expect

NAME = """() => {
    const focused = document.activeElement;
    const name = focused.labels?.[0]?.textContent ?? focused.getAttribute("aria-label") ?? focused.textContent;
    return name.replace(/\\s+/g, " ").trim();
}"""
# How the focused element looks, beside how it would look without the focus.
LOOKS = """() => {
    const look = element => {
        const style = getComputedStyle(element);
        return [style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow].join(" ");
    };
    const twin = document.activeElement.cloneNode(false);
    document.activeElement.after(twin);
    const looks = [look(document.activeElement), look(twin)];
    twin.remove();
    return looks;
}"""


class Keyboard:
    def __init__(self, visitor):
        self.page = visitor.page

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def focused(self) -> str:
        return self.page.evaluate(NAME)

    def tab(self) -> str:
        """One step on; the focus must be visible there."""
        self.press("Tab")
        focused, unfocused = self.page.evaluate(LOOKS)
        assert focused != unfocused, f"the focus on {self.focused()!r} cannot be seen"
        expect(self.page.locator(":focus")).to_be_in_viewport()
        return self.focused()

    def tab_to(self, name: str) -> None:
        stops = []
        while len(stops) < 25:
            stops.append(self.tab())
            if stops[-1] == name:
                return
        raise AssertionError(f"no {name!r} among {stops}")

    def fill(self, label: str, text: str) -> None:
        self.tab_to(label)
        self.type(text)
