"""The page as a browser reads it: what its tags hold, and what it links to."""

from html.parser import HTMLParser

VOID = {"meta", "img", "input", "wbr", "br", "link", "source"}


class Reader(HTMLParser):
    """Checks that tags nest, and keeps texts, attributes and scripts."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.attributes, self.scripts = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.attributes += [(tag, *pair) for pair in attributes]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        (self.scripts if self.open[-1:] == ["script"] else self.texts).append(data)


def saved(html, folder):
    """Files of a folder that the page links to."""
    links = {v for tag, name, v in Reader(html).attributes if (tag, name) == ("a", "href")}
    return {link.removeprefix(folder) for link in links if link.startswith(folder)}
