// A phone at the table: shows what its seats are asked, and sends their answers.

import { drawFace, drawPhoto, drawScores, drawTag, element, find, link, nameOf, request, stillAsked } from "./common.js";
import { _, translatePage } from "./words.js";

const AGAIN_MS = 1500; // an answer that is not acknowledged is sent again
const SAID_MS = 6000;
const TOLD_MS = 10_000;
const FEW = 13; // numbers that are a key each
const LETTERS = 2; // of an option that needs no more room than a number

let game = null;
let me = null;
let evidence = null;
let count = null;
let typed = {}; // by question: the digits so far
let pending = null; // the answer that is not acknowledged yet
let again = 0;
let joining = false; // the tap is on its way
let choosing = null; // whether somebody wants the list of places; null: it is there as long as the phone has none
let wasAsked = false;

const kit = link(receive, askCode);

// --- joining ---

let code = ""; // of the display, until it is used up

function askCode() {
  me = null;
  find("tag").textContent = "";
  tell("");
  drawWish();
  find("status").textContent = "";
  show("join");
  if (atCode()) look(location.pathname.slice(1));
}

// The address that the display shows: who comes from there has hardly ever joined before.
function atCode() {
  return location.pathname.length === 7;
}

function connect() {
  history.replaceState(null, "", "/"); // the code is used up
  kit.again();
}

find("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  look(find("code").value.trim());
});

// With the code the places can be seen; choosing one joins.
async function look(typed) {
  const { refused, joined, places } = await request("/look", { code: typed });
  if (joined) {
    connect();
    return;
  }
  find("refused").textContent = refused;
  find("code").value = typed.toUpperCase();
  if (refused) return;
  code = typed;
  drawPlaces(places);
}

async function join(button) {
  if (joining) return; // a second tap on the way
  joining = true;
  const { refused, ...news } = await request("/join", { code, button });
  joining = false;
  if (refused) {
    find("refused").textContent = refused;
    show("join");
    return;
  }
  code = "";
  choosing = button === null ? false : null;
  receive(news);
  connect();
}

// --- news ---

function receive(news) {
  if ("game" in news) game = news.game;
  if ("evidence" in news) evidence = news.evidence;
  if ("count" in news) count = news.count;
  if ("me" in news) me = news.me;
  if ("refused" in news) find("unnamed").textContent = news.refused;
  if ("told" in news) tell(news.told);
  if ("ack" in news) acknowledged(news.ack);
  if (me) draw();
  if (pending && !again) send(); // the connection is new
}

function show(id) {
  for (const part of document.querySelectorAll("main")) part.hidden = part.id !== id;
}

function draw() {
  drawTag(me);
  drawWish();
  if (choosing ?? !me.places.some((place) => place.mine)) {
    drawPlaces(me.places);
  } else {
    drawGame();
  }
}

// --- what the kit has to say to a wish of this phone ---

function drawWish() {
  const wish = me?.wish ?? "";
  if (wish && find("wish").hidden) tell(""); // what was said before
  find("wish").hidden = !wish;
  find("wish").querySelector(".display").textContent = wish;
}

let telling = 0;

function tell(text) {
  clearTimeout(telling);
  find("told").textContent = text;
  if (text) telling = setTimeout(() => tell(""), TOLD_MS);
}

// --- who are you? ---

function drawPlaces(places) {
  show("who");
  find("places").replaceChildren(
    ...places.map((place) => {
      const row = element("li");
      const button = element("button", place.mine ? "mine" : "");
      button.append(element("b", "", place.label), element("bdi", "", place.name || _("guest")));
      if (place.mine) button.append(element("span", "", _("you")));
      else if (place.taken) button.append(element("span", "", _("has a phone")));
      button.setAttribute("aria-pressed", place.mine);
      button.onclick = () => choosePlace(place);
      row.append(button);
      return row;
    }),
  );
  if (!places.length) find("places").append(element("li", "", _("Nobody has pressed a button yet.")));
  const mine = places.some((place) => place.mine);
  const nameless = places.find((place) => place.mine && !place.name);
  find("naming").hidden = !nameless;
  find("naming").dataset.button = nameless?.button ?? "";
  find("table").hidden = !me;
  find("table").textContent = me?.role === "table" ? _("No longer answer for the table") : _("Answer for the table");
  find("play").textContent = mine ? _("To the game") : _("Only look on");
}

function choosePlace(place) {
  if (!me) {
    join(place.button);
    return;
  }
  choosing = true; // until the game is chosen
  drawPlaces(me.places);
  kit.send(place.mine ? { leave: place.button } : { seat: place.button });
}

find("table").addEventListener("click", () => kit.send({ table: me.role !== "table" }));

find("naming").addEventListener("submit", (event) => {
  event.preventDefault();
  kit.send({ name: find("name").value, button: find("naming").dataset.button });
  find("name").value = "";
});

find("play").addEventListener("click", () => {
  if (!me) {
    join(null);
    return;
  }
  choosing = false;
  drawGame();
});

find("seats").addEventListener("click", () => {
  choosing = true;
  draw();
});

// --- the game ---

function drawGame() {
  show("game");
  find("title").textContent = game ? game.title : "Lucky Paw";
  const asks = me.asks.filter((ask) => !ask.aside);
  const asides = me.asks.filter((ask) => ask.aside);
  const known = new Set(me.asks.map((ask) => ask.id));
  typed = Object.fromEntries(Object.entries(typed).filter(([id]) => known.has(id)));
  drawFace(game, count);
  const focused = document.activeElement?.dataset?.key;
  find("asks").replaceChildren(...asks.map(question), ...(asides.length ? [element("hr"), ...asides.map(question)] : []));
  if (focused) find("asks").querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  const open = asks.some((ask) => !sentFor(ask));
  document.body.classList.toggle("asked", open);
  if (open && !wasAsked) navigator.vibrate?.(60);
  wasAsked = open;
  find("waiting").replaceChildren(...waiting(asks));
  find("scores").hidden = !game;
  if (game) drawScores(find("scores"), game, me.seats, stillAsked(game, me.missing));
  find("back").hidden = !game || (me.role !== "table" && !me.seats.length);
  find("back").textContent = me.own ? _("Undo my answer") : _("Undo: OK on the kit");
  drawFixes();
  drawPhoto(evidence);
}

find("back").addEventListener("click", () => kit.send({ undo: true }));

// Points by hand, for one seat at a time; the kit is asked whether that may be.
let fixing = { seat: 0, points: 0 };

function drawFixes() {
  find("more").hidden = !game || me.role !== "table";
  if (!game) return;
  find("fixes").replaceChildren(
    ...game.names.map((_name, seat) => {
      const row = element("p", "fix");
      const change = (by) => {
        fixing = { seat, points: (fixing.seat === seat ? fixing.points : 0) + by };
        drawFixes();
      };
      const key = (sign, by) => {
        const made = element("button", "", sign);
        made.setAttribute("aria-label", by > 0 ? _("one point more") : _("one point less"));
        made.onclick = () => change(by);
        return made;
      };
      const points = fixing.seat === seat ? fixing.points : 0;
      row.append(nameOf(game, seat), key("−", -1), element("b", "", points > 0 ? `+${points}` : points), key("+", 1));
      return row;
    }),
  );
  find("fix").disabled = fixing.points === 0;
  find("end").hidden = game.over;
}

find("fix").addEventListener("click", () => {
  kit.send({ fix: [fixing.seat, fixing.points] });
  fixing = { seat: 0, points: 0 };
  drawFixes();
});

find("end").addEventListener("click", () => kit.send({ end: true }));

const sentFor = (ask) => me.sent.find(([seat]) => seat === ask.seat && ask.low !== undefined && !ask.aside);

function waiting(asks) {
  if (!game) return [_("No game is on the table.")];
  if (game.over) return [game.ended ? _("The game was ended.") : _("The game is over.")];
  if (asks.length && !asks.every(sentFor)) return [];
  const left = stillAsked(game, me.missing);
  if (game.pressing.some((seat) => me.seats.includes(seat))) return [element("strong", "", game.on_kit)];
  const others = left.filter((seat) => !me.seats.includes(seat) || me.missing?.length);
  const names = others.flatMap((seat, n) => [n ? ", " : "", element("bdi", "", game.names[seat])]);
  return others.length ? [_("Waiting for"), " ", ...names] : [game.asked];
}

function question(ask) {
  const made = element("section", ask.aside ? "aside" : "");
  if (ask.seat !== null && (me.seats.length > 1 || !me.seats.includes(ask.seat))) {
    const whose = element("p", "whose");
    whose.append(nameOf(game, ask.seat));
    made.append(whose);
  }
  if (ask.options) made.append(element("h2", "", ask.text), options(ask));
  else if (ask.low !== undefined) made.append(element("h2", "", ask.text), ...number(ask));
  else {
    if (ask.does && ask.seat !== null) made.append(element("h2", "", ask.text));
    made.append(press(ask, null, ask.does || ask.text), ...both(ask));
  }
  return made;
}

function press(ask, value, text) {
  const made = element("button", "main", text);
  made.dataset.key = `${ask.id} ${value}`;
  made.disabled = pending?.ask.id === ask.id;
  made.onclick = () => answer(ask, value);
  return made;
}

// What is held for on the kit's button, and the press that follows, by one tap.
function both(ask) {
  const then = ask.then && me.asks.find((one) => one.seat === ask.seat && one.verb === ask.then);
  if (!then) return [];
  const made = press(ask, "then", `${ask.text} + ${then.does || then.text}`);
  made.onclick = () => answer(ask, null, then);
  return [made];
}

function options(ask) {
  const small = ask.options.length > FEW && ask.options.every(([, text]) => text.length <= LETTERS);
  const made = element("div", small ? "few" : "options");
  made.append(...ask.options.map(([value, text]) => press(ask, value, text)));
  return made;
}

// A number: one of a few is one tap; else the pad types it, and Send sends it. It may be changed until the question closes.
function number(ask) {
  const sent = sentFor(ask);
  if (ask.high - ask.low < FEW) {
    const row = element("div", "few");
    for (let value = ask.low; value <= ask.high; value++) {
      const key = press(ask, value, `${value}`);
      key.classList.toggle("sent", sent?.[1] === value);
      key.classList.toggle("expected", !sent && ask.prefill === value);
      key.setAttribute("aria-pressed", sent?.[1] === value);
      row.append(key);
    }
    return [limits(ask), row, ...(sent ? [element("p", "kept", _("Sent. You may still change it."))] : [])];
  }
  const digits = typed[ask.id] ?? "";
  const value = digits === "" ? (sent?.[1] ?? ask.prefill) : Number(digits);
  const fits = value !== null && value !== undefined && ask.low <= value && value <= ask.high;
  const parts = [limits(ask)];
  const shown = element("output", sent && digits === "" ? "sent" : "", value ?? "–");
  shown.setAttribute("aria-live", "polite");
  parts.push(shown);
  if (sent && digits === "") parts.push(element("p", "kept", _("Sent. You may still change it.")));
  const pad = element("div", "pad");
  for (const sign of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", "send"]) {
    const key = element("button", sign === "send" ? "main" : "", sign === "send" ? _("Send") : sign);
    key.dataset.key = `${ask.id} ${sign}`;
    if (sign === "⌫") key.setAttribute("aria-label", _("delete"));
    if (sign === "send") {
      key.disabled = !fits || pending?.ask.id === ask.id || (sent && digits === "");
      key.onclick = () => answer(ask, value);
    } else {
      key.onclick = () => type(ask, sign);
    }
    pad.append(key);
  }
  parts.push(pad);
  return parts;
}

function limits(ask) {
  const worth = ask.each ? _("each counts {points}", { points: `${ask.each > 0 ? "+" : "−"}${Math.abs(ask.each)}` }) : "";
  return element("p", "limits", [_("{low} to {high}", ask), worth].filter(Boolean).join(" · "));
}

function type(ask, sign) {
  const now = typed[ask.id] ?? "";
  const next = sign === "⌫" ? now.slice(0, -1) : `${now === "0" ? "" : now}${sign}`;
  if (next === "") delete typed[ask.id];
  else if (next.length <= 3) typed[ask.id] = next;
  draw();
}

// --- answers: sent until they are acknowledged ---

// `then`: what is answered next, once this is acknowledged.
function answer(ask, value, then = null) {
  if (pending) return;
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0"));
  pending = { ask, value, then, nonce: nonce.join("") };
  say("");
  send();
  draw();
}

function send() {
  clearTimeout(again);
  const { ask, value, nonce } = pending;
  const now = me?.asks.find((one) => one.id === ask.id) ?? me?.asks.find((one) => alike(one, ask));
  kit.send({ ask: now?.id ?? ask.id, value, nonce });
  again = setTimeout(() => {
    again = 0;
    if (pending) send();
  }, AGAIN_MS);
}

// The same number is still asked for, by a question that was opened anew when the kit was switched on again.
function alike(one, ask) {
  return ask.low !== undefined && one.seat === ask.seat && one.verb === ask.verb && one.text === ask.text;
}

function acknowledged({ nonce, refused, saved }) {
  if (pending?.nonce !== nonce) return;
  clearTimeout(again);
  again = 0;
  const { ask, then } = pending;
  if (!refused) delete typed[ask.id];
  pending = null;
  say(refused || (saved ? "" : _("Entered, but the kit cannot save now.")));
  if (then && !refused) answer(then, null);
}

let saying = 0;

function say(text) {
  clearTimeout(saying);
  find("said").textContent = text;
  if (text) saying = setTimeout(() => say(""), SAID_MS);
}

translatePage();
if (atCode()) askCode();
else kit.again();
