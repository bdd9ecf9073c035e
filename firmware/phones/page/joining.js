// Joining the table, saying who one is, and giving a name.

import { _ } from "./words.js";
import { element, find, knowPlaces, request, domeOf, show, wish, write } from "./common.js";

let code = ""; // of the display, until it is used up
let busy = false; // the tap is on its way
let kit, receive, redraw; // of the page
let me = null;
let choosing = null; // whether somebody wants the list of places; null: it is there as long as the phone has none
let naming = false; // what may be refused is a name, and not the role of the table
let wanted = ""; // the button whose place was tapped last: who gets it is welcomed

// The address that the display shows: who comes from there has hardly ever joined before.
export function atCode() {
  return location.pathname.length === 7;
}

export function begin(link, onNews, onDraw) {
  kit = link;
  receive = onNews;
  redraw = onDraw;
}

// `reason`: why the kit has closed the link, where there was one.
export function askCode(reason) {
  if (me) {
    find("refused").textContent =
      reason === "no cookie"
        ? _("This browser keeps no cookies: allow them for this address, or use another browser.")
        : _("The kit has let this phone go: join again.");
    find("code").value = "";
  }
  me = null;
  find("tag").textContent = find("status").textContent = find("you").textContent = "";
  find("welcome").hidden = true;
  show("join");
  if (atCode()) look(location.pathname.slice(1));
}

function connect(how) {
  history.replaceState(null, "", "/"); // the code is used up
  kit.again(how);
}

// With the code the places can be seen; choosing one joins.
async function look(typed) {
  const { refused, joined, places } = await request("/look", { code: typed });
  if (joined) {
    connect();
    return;
  }
  find("refused").textContent = refused;
  find("code").value = typed.toUpperCase();
  if (!refused) {
    code = typed;
    drawPlaces(places);
  }
}

async function join(button) {
  if (busy) return; // a second tap on the way
  busy = true;
  const { refused, ...news } = await request("/join", { code, button });
  busy = false;
  if (refused) {
    find("refused").textContent = refused;
    show("join");
    return;
  }
  code = "";
  choosing = button === null ? false : null;
  receive(news);
  connect("?joined");
}

find("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  look(find("code").value.trim());
});

// Shows who the phone is for, and the list of places where that is wanted. Returns whether the game is to be shown: also
// to who has joined and waits for a game, while people press their buttons for the next one.
export function drawJoining(news, game) {
  me = news;
  drawYou();
  welcome();
  const plays = me.role === "table" || (!game && me.role !== "watch") || me.places.some((place) => place.mine);
  if (choosing === null ? plays : !choosing) return true;
  drawPlaces(me.places);
  return false;
}

function drawYou() {
  find("you").textContent = "";
  me.places.forEach((place) => place.mine && find("you").append(domeOf(place.number, place.name || place.label), " "));
  if (me.role === "table") find("you").append(element("span", "", _("answers for the table")));
}

function drawPlaces(places) {
  knowPlaces(places);
  show("who");
  find("places").textContent = "";
  places.forEach((place) => {
    const row = element("li");
    const button = element("button", place.mine ? "mine" : "");
    button.append(domeOf(place.number, place.label), element("bdi", "name", place.name || place.colour));
    if (place.mine) button.append(element("span", "", _("you: tap to leave")));
    else if (place.taken) button.append(element("span", "", _("has a phone")));
    button.setAttribute("aria-pressed", place.mine);
    button.onclick = () => choosePlace(place);
    row.append(button);
    find("places").append(row);
  });
  if (!places.length) find("places").append(element("li", "", _("Nobody has pressed a button yet.")));
  find("role").hidden = !me;
  find("table").textContent = me && me.role === "table" ? _("No longer answer for the table") : _("Answer for the table");
  const plays = (me && me.role === "table") || places.some((place) => place.mine);
  find("play").textContent = plays ? _("To the game") : _("Only look on");
  find("play").className = plays ? "main" : "";
}

function choosePlace(place) {
  if (!place.mine) wanted = place.button;
  if (!me) {
    join(place.button);
    return;
  }
  if (place.mine) choosing = true; // until the game is chosen
  wish(kit, { do: place.mine ? "leave" : "take", button: place.button });
}

find("table").addEventListener("click", () => {
  naming = false;
  wish(kit, { do: "table", table: me.role !== "table" });
});

find("play").addEventListener("click", () => {
  if (!me) {
    join(null);
    return;
  }
  choosing = false;
  redraw();
});

find("seats").addEventListener("click", () => {
  choosing = true;
  find("untabled").textContent = "";
  redraw();
});

// --- a name ---

// Whoever has got a place is told which; a guest may give a name there and then, on their own keyboard. It does not
// stand above the game for long: whoever has a name is asked something, a guest has answered.
function welcome() {
  const place = me.places.find((one) => one.mine && one.button === wanted);
  if (place && (place.name ? me.asks.length : me.own || me.sent.length)) wanted = "";
  if (!place || !wanted) {
    find("welcome").hidden = true;
    return;
  }
  if (find("welcome").hidden) {
    choosing = null;
    find("name").value = find("latin").value = find("unnamed").textContent = "";
    drawLatin();
  }
  find("welcome").hidden = false;
  write("welcomed", place.name ? _("You are {name} ({label}, {colour}).", place) : _("You are {label} ({colour}).", place));
  find("naming").hidden = Boolean(place.name);
}

let agreed = []; // to what has been asked about the name

// Why a name or the role of the table was not taken; empty: it was. The same name sent again agrees to what was asked.
export function taken(refused, asked) {
  agreed = asked;
  write(naming ? "unnamed" : "untabled", refused);
}

// The display has the letters of Europe only.
function drawLatin() {
  find("latins").hidden = !/[^ -~À-ſ]/.test(find("name").value);
}

find("name").addEventListener("input", () => {
  agreed = []; // it was about another name
  find("unnamed").textContent = "";
  drawLatin();
});

find("naming").addEventListener("submit", (event) => {
  event.preventDefault();
  naming = true;
  knowPlaces([{ name: find("name").value.trim() }]);
  const latin = find("latins").hidden ? "" : find("latin").value;
  wish(kit, { do: "introduce", button: wanted, name: find("name").value, latin, agreed });
});

find("settled").addEventListener("click", () => {
  wanted = "";
  redraw();
});
