#!/usr/bin/env python3
"""Checks the pages that `./run docs` built: links, anchors, search and colours.

Chromium runs without a window and opens the pages as files. It writes two pictures: build/docs-check.png (the
results of a search, light) and build/docs-check-dark.png (the page of the first result, dark). The script
prints each fault. The exit status is 1 if there is a fault.
"""

import os
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.ui import WebDriverWait

BUILD = Path(__file__).resolve().parents[2] / "build"
SITE = BUILD / "docs"
SEARCHED = "gesv"
SECONDS = 30


class Page(HTMLParser):
    """The anchors and the links of a page. A link is (line, URL, is loaded together with the page)."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = {"", "__top"}, []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values[key] for key in ("id", "name") if values.get(key)}
        for key in ("href", "src"):
            if values.get(key) is not None:
                self.links.append((self.getpos()[0], values[key], key == "src" or tag == "link"))


def faults_of_links():
    paths = sorted(SITE.rglob("*.html"))
    pages = {path: Page(path) for path in paths if path.name != "404.html"}  # only servers show that page
    for path, page in pages.items():
        for line, link, is_loaded in page.links:
            url = urlsplit(urljoin(path.as_uri(), link))
            where = f"{path.relative_to(BUILD)}:{line}: "
            if url.scheme != "file":
                if is_loaded and url.scheme != "data":
                    yield f"{where}the page loads {link} from elsewhere"
                continue
            target = Path(unquote(url.path))
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{where}the link to {link} has no target"
            elif target in pages and unquote(url.fragment) not in pages[target].anchors:
                yield f"{where}the link to {link} names an anchor that the page does not have"


def start_browser():
    options = webdriver.ChromeOptions()
    names = ("chromium", "chromium-browser", "google-chrome")
    options.binary_location = next(filter(None, map(shutil.which, names)), "")
    driver = shutil.which("chromedriver")
    if not options.binary_location or not driver:
        sys.exit("docs/site/check.py: Chromium and chromedriver are needed (Debian: chromium, chromium-driver)")
    options.add_argument("--headless=new")
    options.add_argument("--window-size=1440,1000")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))


def set_colours(browser, scheme):
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)


def faults_in_browser(browser):
    def wait_for(what, condition):
        try:
            return WebDriverWait(browser, SECONDS).until(condition)
        except TimeoutException:
            raise TimeoutException(f"{what}: not within {SECONDS} seconds") from None

    def colours():
        return browser.find_element(By.TAG_NAME, "body").get_attribute("data-md-color-scheme")

    set_colours(browser, "light")
    browser.get((SITE / "index.html").as_uri())
    field = wait_for(
        "the search field of the start page",
        expected_conditions.element_to_be_clickable((By.CSS_SELECTOR, ".md-search__input")),
    )
    field.click()
    field.send_keys(SEARCHED)
    results = wait_for(
        f"results of a search for '{SEARCHED}'",
        lambda b: b.find_elements(By.CSS_SELECTOR, ".md-search-result__item > a"),
    )
    first = results[0].get_attribute("href")
    browser.save_screenshot(str(BUILD / "docs-check.png"))
    name = first.removeprefix(SITE.as_uri() + "/")
    print(f"search for '{SEARCHED}': {len(results)} pages, the first is {name}")
    if colours() != "default":
        yield f"the colours of the start page are '{colours()}' in a light system"
    set_colours(browser, "dark")
    browser.get(first)
    wait_for(f"the first page found, {first},", lambda b: b.find_elements(By.TAG_NAME, "h1"))
    if SEARCHED not in browser.find_element(By.TAG_NAME, "article").text:
        yield f"{first}, the first result of a search for '{SEARCHED}', does not contain it"
    if colours() != "slate":
        yield f"the colours of {first} are '{colours()}' in a dark system"
    browser.save_screenshot(str(BUILD / "docs-check-dark.png"))
    for entry in browser.get_log("browser"):
        if entry["level"] == "SEVERE":
            yield f"the browser says: {entry['message']}"


def main():
    faults = list(faults_of_links())
    browser = start_browser()
    try:
        faults += faults_in_browser(browser)
    except WebDriverException as error:
        faults.append(error.msg)
    finally:
        browser.quit()
    for fault in faults:
        print(f"docs/site/check.py: {fault}", file=sys.stderr)
    if not faults:
        print("no fault found; pictures: build/docs-check.png, build/docs-check-dark.png")
    sys.exit(bool(faults))


main()
