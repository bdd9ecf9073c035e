"""The page that a phone opens by itself in the kit's own Wi-Fi: it has no script, and leads to the browser."""

from firmware.markup import Markup, document, html
from firmware.translation import _


def page(address: str) -> Markup:
    """The page. `address`: of the kit's page."""
    return document(
        "Lucky Paw",
        html("h1", "Lucky Paw"),
        html("p", _("Open this in your browser:")),
        html("h2", f"http://{address}", translate="no"),
        html("p", _("Your phone has no internet meanwhile. If it asks, stay in this Wi-Fi without internet.")),
        html("p", _("On an iPhone: Cancel, then Use Without Internet.")),
        head=html("meta", name="color-scheme", content="dark light"),
    )
