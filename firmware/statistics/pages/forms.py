"""What can be edited on the pages of people and games, as forms: `firmware.wishes` says what comes of each."""

from collections.abc import Mapping, Sequence
from contextlib import closing

from engine.rules import Seat
from firmware.journal.reader import History
from firmware.markup import Markup, Part, choice, html, name
from firmware.people.names import Person, drawable
from firmware.statistics.pages.site import Site
from firmware.translation import _
from firmware.wishes.forms import form, latin
from firmware.wishes.games import ChangeSeats, WriteRemark
from firmware.wishes.people import LATIN, Add, CountGames, Forget, Merge, Rename

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
    counts = _("Leave out of statistics") if one.counted else _("Count these games again")
    return html(
        "details",
        html("summary", _("Edit")),
        form(Rename(id_, one.name, was=(one.name, one.latin))),
        None if drawable(one.name) else _short(one),
        form(CountGames(id_, not one.counted, was=(one.counted,)), counts),
        _same_as(one, others) if others else None,
        form(Forget(id_, was=(one.name,))),
        id="edit",
        open="",
    )


def _short(one: Person) -> Markup:
    wish = Rename(one.id, one.name, one.latin, was=(one.name, one.latin), agreed=frozenset(("undrawn",)))
    return form(wish, _("Save"), fields={LATIN: latin(one.latin)})


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
    noted = form(WriteRemark(game, *remark, was=remark))
    edit = html("details", html("summary", _("Note and date")), noted, id="edit", open="")
    return [note, edit, _who_sat_there(game, labels, people, everybody) if everybody else None]


def _everybody(site: Site) -> tuple[Person, ...]:
    with closing(History(site.journal)) as history:
        return history.everybody()


def _same_as(one: Person, others: Sequence[Person]) -> Part:
    list_ = html("select", [choice(other.name, other.id) for other in others], name="into")
    fields = {"into": html("label", _("Same person as"), " ", list_)}
    return form(Merge(one.id, NOBODY, was=(one.name, "")), fields=fields)


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
    return html("details", html("summary", _("Who sat there?")), form(ChangeSeats(game, now, was=now), fields=choices))
