"""A page in Chromium, in frames of different widths and at addresses inside it."""

import json
import re
import shutil
import subprocess

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

# What the page in each frame tells, when it has settled.
TELL = """<script>addEventListener("load", () => setTimeout(() => {
  const place = document.querySelector("%s"), shown = (id) => document.getElementById(id).value;
  const top = place && place.getBoundingClientRect().top;
  const opened = place && place.closest("details")?.open;
  const menu = document.querySelector("nav details").open;
  document.querySelectorAll("details").forEach((part) => { part.open = true; });
  const width = document.documentElement.scrollWidth;
  const disk = ["v-dataset", "v-embedding", "v-method"].map(shown).join("/");
  const metric = shown("metric"), height = innerHeight;
  parent.postMessage(["%s", { top, opened, menu, width, disk, metric, height }], "*");
}, 1500));</script></body>"""
COLLECT = """<script>const told = {};addEventListener("message", ({ data: [name, what] }) => {
  told[name] = what;
  document.getElementById("told").textContent = JSON.stringify(told);
});</script><pre id="told"></pre>"""


def told(html, frames, folder):
    """What the page says of itself in each frame: its width, the address, the place it looks at."""
    written = []
    for name, (width, address, place) in frames.items():
        (folder / f"{name}.html").write_text(html.replace("</body>", TELL % (place, name)))
        source = f"{name}.html{address}"
        written.append(f'<iframe width="{width}" height="800" src="{source}"></iframe>')
    (folder / "all.html").write_text("<!doctype html>" + COLLECT + "".join(written))
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", f"--user-data-dir={folder / 'profile'}",
         "--virtual-time-budget=8000", "--dump-dom", f"file://{folder}/all.html"],
        capture_output=True, text=True,
    )  # fmt: skip
    return json.loads(re.search(r'id="told">(.*?)</pre>', done.stdout, re.DOTALL)[1])
