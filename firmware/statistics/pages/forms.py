"""What can be edited on the pages of people and games, as forms: `firmware.people.edits` says what comes of each."""

from collections.abc import Mapping, Sequence
from contextlib import closing

from engine.rules import Seat
from firmware.journal.reader import History
from firmware.markup import Markup, Part, choice, html, name
from firmware.people.edit_forms import form
from firmware.people.edits import Add, Count, Forget, Merge, Remark, Rename, Seats, Short
from firmware.people.names import Person, drawable
from firmware.statistics.pages.site import Site
from firmware.translation import _

NOBODY = "0" * 16  # an id in a form until somebody is chosen


def people(site: Site) -> Part:
    """A new name, and whom statistics leave out."""
    rest = [one for one in _everybody(site) if not one.counted]
    links = [html("li", html("a", name(one.name), href=f"/people/{one.id}")) for one in rest]
    out = [html("h2", _("Not in statistics")), html("ul", links)] if rest else None
    return [out, html("details", html("summary", _("New name")), form(Add("")))]


def person(site: Site, id_: str) -> Part:
    """All that can be changed about somebody."""
    everybody = _everybody(site)
    one = next(one for one in everybody if one.id == id_)
    others = [other for other in everybody if other.id != id_]
    return html(
        "details",
        html("summary", _("Edit")),
        form(Rename(id_, one.name)),
        None if drawable(one.name) else form(Short(id_, one.latin)),
        form(Count(id_, not one.counted)),
        _same_as(id_, others) if others else None,
        form(Forget(id_)),
        id="edit",
        open="",
    )


def not_counted(site: Site, id_: str) -> Markup | None:
    """The page of somebody whom statistics leave out; None where there is no such person."""
    one = next((one for one in _everybody(site) if one.id == id_), None)
    if one is None:
        return None
    return site.page(name(one.name), html("p", _("Left out of statistics.")), person(site, id_))


def game(
    site: Site, game: int, labels: Sequence[str], people: Mapping[Seat, Person], everybody: Sequence[Person]
) -> Part:
    """The note, and all that can be changed about a game."""
    with closing(History(site.journal)) as history:
        remark = history.remark(game)
    note = html("p", remark.note, class_="note", dir="auto") if remark.note else None
    edit = html("details", html("summary", _("Note and date")), form(Remark(game, *remark)), id="edit", open="")
    return [note, edit, _who_sat_there(game, labels, people, everybody) if everybody else None]


def _everybody(site: Site) -> tuple[Person, ...]:
    with closing(History(site.journal)) as history:
        return history.everybody()


def _same_as(id_: str, others: Sequence[Person]) -> Part:
    list_ = html("select", [choice(one.name, one.id) for one in others], name="into")
    return form(Merge(id_, NOBODY), fields={"into": html("label", _("Same person as"), " ", list_)})


def _who_sat_there(
    game: int, labels: Sequence[str], people: Mapping[Seat, Person], everybody: Sequence[Person]
) -> Part:
    """A choice a seat."""
    choices: dict[str, Part] = {}
    for seat, label in enumerate(labels):
        here = people[seat].id if seat in people else ""
        guest = html("option", _("guest"), value="", selected=None if here else "")
        options = [guest, *(choice(one.name, one.id, chosen=one.id == here) for one in everybody)]
        choices[f"seat{seat}"] = html("label", label, " ", html("select", options, name=f"seat{seat}"))
    now = tuple(people[seat].id if seat in people else None for seat in range(len(labels)))
    return html("details", html("summary", _("Who sat there?")), form(Seats(game, now), fields=choices))
