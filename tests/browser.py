"""A headless Chromium for tests, Debian's `chromium` and `chromium-driver`; tests skip with a reason without them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

_UNCOVERED = """
for (const one of document.querySelectorAll(arguments[0])) {
  one.scrollIntoView({block: "center"});
  const place = one.getBoundingClientRect();
  if (document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2) === one) return one;
}
throw "all are covered: " + arguments[0];
"""


class Browser:
    """What the tests do with a page, by CSS selectors."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def scrolled(self) -> float:
        """How far down the page is."""
        return float(self.driver.execute_script("return window.scrollY"))

    def click(self, selector: str) -> None:
        element = self.find(selector)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def type(self, selector: str, text: str) -> None:
        """Put this text into a field, in place of what it holds."""
        element = self.find(selector)
        element.clear()
        element.send_keys(text or " \b")

    def hover(self, selector: str) -> None:
        """Put the pointer on the first of these that no other covers."""
        element = self.driver.execute_script(_UNCOVERED, selector)
        ActionChains(self.driver).move_to_element(element).perform()

    def texts(self, selector: str) -> list[str]:
        return [element.text for element in self.all(selector)]

    def is_shown(self, selector: str) -> bool:
        return self.find(selector).is_displayed()

    def errors(self) -> list[str]:
        """What the console complained about."""
        log = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in log if entry["level"] == "SEVERE"]


@contextmanager
def open_browser(page: Path, *, width: int = 1200, height: int = 1400) -> Iterator[Browser]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("needs chromium and chromedriver (Debian: apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options, webdriver.ChromeService(driver))
    try:
        opened.get(page.as_uri())
        yield Browser(opened)
    finally:
        opened.quit()
