"""Pictures in docs/pictures, which `make pictures` takes anew, and what they show."""

import base64
from pathlib import Path

from house import REPOSITORY
from playwright.sync_api import Locator, Page

FOLDER = REPOSITORY / "docs/pictures"
# The size of a picture, the colour of its lower corner, which no light reaches, and how many colours there are in each of the boxes.
SHOWN = """async ([data, boxes]) => {
    const bytes = Uint8Array.from(atob(data), each => each.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d", {willReadFrequently: true});
    canvas.drawImage(image, 0, 0);
    const colours = box => new Set(new Uint32Array(canvas.getImageData(...box).data.buffer)).size;
    return [[image.width, image.height], [...canvas.getImageData(0, image.height - 1, 1, 1).data.slice(0, 3)], boxes.map(colours)];
}"""


def take(page: Page, name: str, ground: tuple[int, int, int], parts: list[Locator], scale: int = 1) -> None:
    """The whole page; its ground must have that colour, and none of its parts be blank. Replaces the picture only then."""
    data = page.screenshot(full_page=True, animations="disabled", caret="hide")
    seen = [box for box in (part.bounding_box() for part in parts) if box]
    boxes = [[round(box[side] * scale) for side in ("x", "y", "width", "height")] for box in seen]
    size, corner, colours = page.evaluate(SHOWN, [base64.b64encode(data).decode(), boxes])
    width, height = page.evaluate("[innerWidth, Math.max(innerHeight, document.documentElement.scrollHeight)]")
    assert size == [width * scale, height * scale]
    assert corner == list(ground)
    # Letters with smooth edges have many colours; one line has three.
    assert len(boxes) == len(parts) and min(colours) >= 3, colours
    picture = FOLDER / f"{name}.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_bytes(data)
