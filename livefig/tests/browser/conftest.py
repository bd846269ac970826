from livefig.tests.browser.pages import browser, by_hand, open_page, write_page

__all__ = ["browser", "by_hand", "open_page", "write_page"]
