"""axe-core in a page that a visitor has open."""

import json

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

# The rest of what axe tells is many times as long, and nobody reads it.
RUN = "axe.run({}).then(({{violations}}) => ({{violations}}))"

# Of all rules, those that look at colours, which are all that a scheme changes.
ABOUT_COLOURS = ["color-contrast", "link-in-text-block"]


def violations(page: Page, tags: list[str] | None = None, rules: list[str] | None = None) -> AxeResults:
    """What axe finds wrong in the page: by all of its rules, by those with one of the tags, or by those named."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    # A page of a folder may not fetch its own styles.
    options = {"resultTypes": ["violations"], "preload": not page.url.startswith("file:")}
    if chosen := tags or rules:
        options["runOnly"] = {"type": "tag" if tags else "rule", "values": chosen}
    return AxeResults(page.evaluate(RUN.format(json.dumps(options))))
