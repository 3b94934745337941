#!/usr/bin/env python3
"""The pictures of docs/explain.md: a report of MNIST in a browser, light and dark. `make explain-page` runs this."""

import argparse
import pathlib
import subprocess
import tempfile

from playwright.sync_api import sync_playwright

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--command", default="build/release/falsum")
arguments = parser.parse_args()
figures = pathlib.Path(__file__).resolve().parent.parent / "docs" / "figures"

with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    train = ["train", "mnist", "-o", "digits.falsum", "--clauses", "500", "--epochs", "3"]
    for words in (train, ["report", "digits.falsum", "mnist", "-o", "report.html"]):
        subprocess.run([pathlib.Path(arguments.command).resolve(), *words], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    for scheme, section in (("light", "summary"), ("dark", "rows")):
        page = browser.new_page(viewport={"width": 1100, "height": 760}, color_scheme=scheme)
        page.goto((pathlib.Path(folder) / "report.html").as_uri())
        page.wait_for_selector("html[data-ready]", timeout=60_000)
        page.evaluate(f"document.documentElement.style.scrollBehavior = 'auto'; document.getElementById('{section}').scrollIntoView()")
        if section == "summary":
            page.evaluate("window.scrollTo(0, 0)")
        page.screenshot(path=figures / f"report_{section}.png")
        print("wrote", figures / f"report_{section}.png")
