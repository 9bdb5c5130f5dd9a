"""Print the page of a run to a PDF, by Chromium or Chrome without a window.

Not part of the workflow: the command ``noneuclid report`` runs it.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid_compare import io

PAGE = Path("results/report/index.html")
BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("microsoft-edge", "msedge"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
OPTIONS = (
    *("--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--no-pdf-header-footer", "--virtual-time-budget=10000"),
)
SECONDS = 300


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.add_argument("--format", choices=("pdf",), default="pdf", help="default: pdf")
    parser.add_argument(
        "--page", type=Path, default=PAGE, metavar="FILE", help=f"default: {PAGE.as_posix()}"
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="default: report.pdf beside the page"
    )
    parser.add_argument("--browser", metavar="PROGRAM", help="Chromium or Chrome; default: found")
    parser.set_defaults(run=run)


def run(args):
    """Print the page and name the file."""
    if not args.page.is_file():
        raise InputError(
            f"{args.page} does not exist: run `noneuclid run` first, or give the page (--page FILE)"
        )
    output = args.output or args.page.with_name("report.pdf")
    io.write_bytes(output, print_page(find_browser(args.browser, args.page), args.page, output))
    print(f"wrote {output}")


def find_browser(wanted, page):
    """Path of the browser that was asked for, or of the first one that is installed."""
    for name in [wanted] if wanted else BROWSERS:
        found = shutil.which(name)
        if found:
            return found
    missing = f"no program {wanted}" if wanted else "neither Chromium nor Chrome is installed"
    raise InputError(
        f"{missing}: open {page} in any browser, choose Print (Ctrl+P) and save as PDF; or name a "
        "browser (--browser PROGRAM)"
    )


def print_page(browser, page, output):
    """Bytes of the PDF."""
    output.parent.mkdir(parents=True, exist_ok=True)
    # Beside the output: a browser in a sandbox, such as snap's, sees no other temporary folder.
    with tempfile.TemporaryDirectory(dir=output.parent, prefix="printing-") as folder:
        pdf = Path(folder).resolve() / "page.pdf"
        command = [browser, *OPTIONS, f"--user-data-dir={pdf.with_name('profile')}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            # Chromium refuses to sandbox itself for root.
            command.append("--no-sandbox")
        command += [f"--print-to-pdf={pdf}", page.resolve().as_uri()]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise InputError(
                f"{browser} did not print {page} ({error}): open the page in a browser and print it"
            ) from error
        content = pdf.read_bytes() if pdf.is_file() else b""
    if not content.startswith(b"%PDF"):
        said = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        raise InputError(
            f"{browser} did not print {page} ({said}): open the page in a browser and print it"
        )
    return content
