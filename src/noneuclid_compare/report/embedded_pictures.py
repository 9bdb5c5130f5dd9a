"""Pictures inside the page, small: data URIs with their sizes in pixels."""

import base64
import io
import re
from urllib.parse import quote

from markupsafe import Markup
from PIL import Image

from noneuclid.errors import InputError

POINT = 96 / 72  # pixels of CSS
_SAFE = " !$()*+,-./:;=?@_~[]{}|^'"
_PNG = re.compile(r"data:image/png;base64,\s*([A-Za-z0-9+/=\s]+)")


def picture(name, raw):
    """Address (`uri`) and size in pixels of a picture in PNG or SVG; `name` is for the message.

    `width` and `height` are None where an SVG does not state them in points.

    Raises
    ------
    InputError
        If it is neither PNG nor SVG.
    """
    raw = bytes(raw)
    if raw.startswith(b"\x89PNG"):
        width, height = Image.open(io.BytesIO(raw)).size
        return {"uri": _encode(raw), "width": width, "height": height}
    if not raw.startswith((b"<?xml", b"<svg")):
        raise InputError(f"figure {name!r} is neither PNG nor SVG: give its bytes in one")
    text = raw.decode()
    sides = {side: _points(text, side) for side in ("width", "height")}
    short = compact(text)
    # Single quotes are written as they are; `quote` leaves nothing that HTML must escape.
    short = short if "'" in short else short.replace('"', "'")
    return {"uri": Markup(f"data:image/svg+xml,{quote(short, safe=_SAFE)}")} | sides


def _points(svg, side):
    """Width or height of an SVG in pixels, if it is in points."""
    found = re.search(rf'<svg[^>]* {side}="([\d.]+)pt"', svg)
    return round(POINT * float(found[1])) if found else None


def compact(svg):
    """Shrink an SVG: positions to a hundredth of a point, images in 256 colours, fewer letters.

    Comments and names of groups, to which nothing refers, are left out.
    """
    svg = _PNG.sub(lambda found: _encode(_with_palette(base64.b64decode(found[1]))), svg)
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<!DOCTYPE[^>]*>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(?<=<g) id="[^"]*"', "", svg).replace("DejaVuSans-", "D")
    svg = re.sub(r' d="[^"]*"|translate\([^)]*\)| [xy]="[^"]*"', _shorter, svg)
    return re.sub(r">\s+<", "><", re.sub(r"\s+", " ", svg))


def _shorter(found):
    """Numbers of a path or a place, cut to two decimals, and no blanks beside a letter."""
    short = re.sub(r"(\.\d\d)\d+", r"\1", found[0])
    return re.sub(r"\s*\b([MLQCz])\b\s*", r"\1", short) if short.startswith(" d=") else short


def _with_palette(png):
    image, smaller = Image.open(io.BytesIO(png)).convert("RGBA"), io.BytesIO()
    # Octree: the only method of Pillow that keeps transparency.
    image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        smaller, "PNG", optimize=True
    )
    return min(png, smaller.getvalue(), key=len)


def _encode(png):
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"
