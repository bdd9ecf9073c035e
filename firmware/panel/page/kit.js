// The kit in the browser: shows the server's messages, and reports presses and turns. The server stamps them.

import { drawRounds, formOf } from "./rounds.js";
import { listen } from "./silence.js";
import { buildStrip, drawStrip, layStrip } from "./strip.js";
import { _, kept, know, named, parts, translatePage } from "./words.js";

const STEP_DEG = 15; // one detent of the knob
const NOTCH_PX = 40; // less than a notch of a mouse wheel; a trackpad adds up to it
const WAIT_MS = { first: 250, most: 5000 };
const TAP_MS = 80; // a press without a release, from a screen reader
const LONG_MS = 750; // the kit's long press is 600 ms
const CALM_MS = 600; // faster changes are not read out
const OF_ROUNDS = /^(rounds$|rows )/; // kinds of news
const READ_MS = 30000; // a flash has been read out by then

const find = (id) => document.getElementById(id);
const kit = find("kit");
const players = find("players");
const canvas = find("picture");

let socket = null;
let tries = 0;
let retry = 0;
let places = []; // the players' buttons, by seat
let described = null; // the server's description of the kit, as text
let people = []; // whom the kit knows: ids and names
let scores = null; // of the game on the table
let entering; // the game of which a round is put right
const newsOf = {}; // the newest of each kind
let troubles = {}; // by part: its fault
let evidence = null; // of the latest judged race
let words = null; // display and strip in words
const speaking = []; // by line: what is to be spoken, and its timer
let flashed = 0; // the number of the latest flash

// --- the connection to the server ---

const heard = listen(() => socket && lost());
const online = () => socket?.readyState === WebSocket.OPEN;

function send(message) {
  if (online()) socket.send(JSON.stringify(message));
}

const wished = {}; // by the id of a press: what gets the answer

// Wishes something of the kit. `then` gets why not, and what is asked first.
function wish(fields, then) {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  wished[id] = then;
  send({ ...fields, id });
}

function answered(news) {
  for (const [kind, answer] of Object.entries(news)) {
    const [, id] = kind.match(/^wished (.+)/) ?? [];
    wished[id]?.(answer);
    delete wished[id];
  }
}

function connect() {
  clearTimeout(retry);
  heard();
  const opened = (socket = new WebSocket(`ws://${location.host}/ws`));
  opened.onmessage = (event) => {
    if (opened !== socket) return;
    heard();
    receive(JSON.parse(event.data));
  };
  opened.onclose = () => opened === socket && lost();
}

function lost() {
  const gone = socket;
  socket = null;
  gone.close();
  forget(); // the server has released everything, or will
  showStatus();
  const wait = Math.min(WAIT_MS.most, WAIT_MS.first * 2 ** tries++);
  retry = setTimeout(connect, wait * (0.75 + Math.random() / 2));
}

function receive(news) {
  if (news.kit) {
    tries = 0;
    build(news.kit);
    showStatus();
    flashed = newest(news.flashes ?? []); // those from before have gone
  }
  if (news.picture) drawPicture(news.picture);
  if (news.contrast !== undefined) canvas.style.opacity = 0.4 + (0.6 * news.contrast) / 255;
  if (news.strip !== undefined) drawStrip(news.strip);
  if (news.lamps) {
    for (const place of places) place.classList.toggle("lit", news.lamps.includes(place.dataset.name));
  }
  if (news.seats) seat(news.seats);
  if (news.hands) ask(news.hands);
  if (news.people) {
    people = news.people;
    know(...people.map(({ name }) => name));
    find("known").replaceChildren(...people.map(({ name }) => named(name)));
  }
  if (news.scores !== undefined) scores = news.scores;
  if (news.people || news.scores !== undefined) showScores();
  Object.assign(newsOf, news);
  if (Object.keys(news).some((kind) => OF_ROUNDS.test(kind))) showRounds();
  if (news.entered) amend(news.entered);
  if (news.sought !== undefined) showSought(news.sought);
  if (news.certificate !== undefined) showCertificate(news.certificate);
  answered(news);
  if (news.words) speak(news.words);
  if (news.flashes) readOut(news.flashes);
  if (news.tune) play(news.tune);
  if (news.evidence !== undefined) {
    evidence = news.evidence;
    showFinish();
  }
  if (news.plugged) for (const part of ["display", "strip"]) showPlug(part, news.plugged[part]);
  if (news.parts) {
    troubles = news.parts;
    showStatus();
  }
}

// --- the parts of the kit ---

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.append(...parts(text));
  return made;
}

function build(description) {
  const text = JSON.stringify(description);
  if (text === described) return;
  described = text;
  const { title, buttons, control, knob, display, leds, shape, sides, sound } = description;
  document.title = title;
  find("title").textContent = title;
  players.dataset.count = buttons.length;
  places = buttons.map(player);
  players.replaceChildren(...(sides ? Object.entries(sides).map(side) : places));
  const shown = { display, "plug-display": display, strip: leds, "plug-strip": leds, sound };
  for (const [id, there] of Object.entries(shown)) find(id).hidden = !there;
  find("drawer").hidden = !(display || leds || sound);
  find("knob-control").hidden = !(control && knob);
  find("three-control").hidden = !control || knob;
  find("together").hidden = !buttons.some((button) => button.press);
  help(buttons.length, { press: buttons.some((button) => button.press), control, knob });
  kit.classList.add("built");
  kit.classList.toggle("ring", leds > 0 && shape === "ring");
  kit.classList.toggle("lid", Boolean(sides));
  kit.classList.toggle("duel", Boolean(sides?.left.length));
  fit();
  buildStrip(leds, shape, Boolean(sides));
}

// Asked for anew each time: a picture of the same address would be that of the last measurement.
function showCertificate(summary) {
  find("certificate").hidden = !summary;
  if (summary) Object.assign(find("histogram"), { src: `certificate.svg?${Date.now()}`, alt: summary });
}

function help(count, { press, control, knob }) {
  const rows = [];
  if (press) {
    rows.push([_("1 to {count}", { count }), _("the players' buttons")]);
    rows.push([_("Hold, or shift-click"), _("keeps a button down until the next press of it, or of Hold")]);
    rows.push([_("Hold all, or 0"), _("holds all buttons that are asked for, until the signal or the next press")]);
  }
  if (control) {
    const [inLists, aside] = knob
      ? [_("in a list next and back, in a number less and more"), _("the knob: next and back, more and less")]
      : [_("▼ and ▲"), _("next and back, more and less; no and yes")];
    rows.push(["↓ ↑", inLists], ["→ ←", aside]);
    if (knob) rows.push([_("wheel over the knob"), _("as ↓ ↑; or drag it round")]);
    rows.push([_("Enter"), _("OK")]);
    rows.push([_("a letter"), _("looks for a game in the list of all games")]);
    rows.push([_("Esc"), _("Back, a long OK: undo, and the menu; first closes an open drawer below")]);
  }
  rows.push(["?", _("opens and closes this help")]);
  find("help").hidden = !(press || control);
  find("keys").replaceChildren(
    ...rows.flatMap(([key, does]) => [element("dt", "", key), element("dd", "", does)]),
  );
  const turning = control ? [_("↑ ↓ choose"), _("Enter OK"), _("Esc back")] : [];
  const pressing = press ? [_("1–{count} press", { count }), _("0 hold all")] : [];
  const keys = [...pressing, ...turning, press && _("Hold keeps a button down")];
  const fingers = [press && _("Tap, with several fingers at once"), control && _("Back: a long OK")];
  for (const [kind, hints] of Object.entries({ keys, fingers })) {
    find("hints").dataset[kind] = hints.filter(Boolean).join("  ·  ");
  }
  showHints();
}

const coarse = matchMedia("(hover: none)");

function showHints() {
  find("hints").textContent = find("hints").dataset[coarse.matches ? "fingers" : "keys"] ?? "";
}

coarse.addEventListener("change", showHints);

function player({ name, lamp, press }, position) {
  const place = element("div", "place");
  place.dataset.name = place.dataset.player = name;
  place.dataset.position = place.dataset.button = position;
  place.classList.toggle("lamp", lamp);
  place.classList.toggle("real", !press);
  const dome = element("button", "dome");
  dome.dataset.part = `button-${name}`;
  dome.setAttribute("aria-label", name);
  dome.disabled = !press;
  dome.append(kept(element("span", "name", name)));
  dome.firstChild.dataset.length = [...name].length;
  dome.append(" ", named("", "person"));
  const plate = element("span", "key-hint", press ? `${position + 1}` : _("real button"));
  plate.setAttribute("aria-hidden", "true");
  const tags = element("div", "tags");
  tags.append(plate);
  if (press) tags.append(latch(name));
  place.append(dome, tags);
  return place;
}

function latch(name) {
  const made = element("button", "latch", _("Hold"));
  made.dataset.part = `latch-${name}`;
  made.setAttribute("aria-label", _("Hold {name}", { name }));
  made.setAttribute("aria-pressed", false);
  return made;
}

// In a game a button has the name of its player, and a free one no colour. Its colour is its own.
function seat(seats) {
  for (const { name, person } of seats) know(name, person);
  for (const place of places) {
    const { name, position } = place.dataset;
    const at = seats.findIndex(({ button }) => button === name);
    const free = seats.length > 0 && at < 0;
    const taken = free && seats.some((seat) => seat.name === name); // the player of this name uses another button
    const player = at < 0 ? name : seats[at].name;
    const person = at < 0 ? "" : seats[at].person;
    place.dataset.button = free ? "none" : position;
    place.dataset.player = free ? "" : player;
    const [dome, text] = [place.querySelector(".dome"), place.querySelector(".name")];
    text.textContent = taken ? "–" : player;
    text.dataset.length = [...player].length;
    place.querySelector(".person").textContent = person;
    // what stands on it comes first, so that it can be called by that
    const called = [text.textContent, person].filter(Boolean).join(" ");
    const away = text.textContent !== name;
    dome.setAttribute("aria-label", away ? _("{player}, on button {name}", { player: called, name }) : called);
  }
}

// Everybody ranked. Who sits where can be put right: whoever is chosen for a seat changes places with who sat there. Keys
// step through a list that is shut: those on the way change places with nobody.
function showScores() {
  find("scores").hidden = !scores;
  if (!scores) return;
  const { game } = scores;
  find("ranked").replaceChildren(
    ...scores.rows.map(({ seat, label, person, name, points, place }) => {
      const row = element("tr", "");
      const who = element("select", "");
      who.setAttribute("aria-label", _("Who sits at {label}", { label }));
      who.append(new Option(_("guest"), "", false, !person));
      who.append(...people.map((one) => kept(new Option(one.name, one.id, false, one.id === person))));
      let [stepped, pointed, sits] = [false, false, person ?? ""];
      const sit = () => {
        if (who.value === sits) return;
        wish({ do: "sit", game, seat, person: who.value || null, was: [person] }, ({ refused }) => {
          find("unseated").replaceChildren(...parts(refused));
          if (refused) showScores(); // as it is
        });
        sits = who.value;
      };
      who.onpointerdown = () => ([stepped, pointed] = [false, true]);
      who.onkeydown = ({ key }) => {
        pointed = false;
        if (stepped && key === "Enter") who.blur(); // else it opens the list
        stepped = key !== "Enter" && key !== " ";
      };
      who.onchange = () => {
        if (pointed) who.blur(); // keys are the kit's again
        else if (!stepped) sit();
      };
      who.onblur = sit;
      row.append(element("td", "", `${place}.`), kept(element("th", "", label)), element("td", "points", points));
      row.append(element("td", ""));
      row.lastChild.append(people.length ? who : named(name));
      return row;
    }),
  );
  find("sheet").hidden = !scores.over;
}

// The table of rounds. Whose cell is tapped shows what was entered in that round, to be put right.
function showRounds() {
  const { rounds } = newsOf;
  find("rounds").hidden = !rounds || !rounds.many;
  if (!rounds || scores?.game !== entering) amend(null); // another game
  if (rounds) drawRounds(find("counted"), newsOf, (round) => send({ round }));
}

function amend(entered) {
  const put = (numbers, was) => {
    const { game, round } = entered;
    wish({ do: "amend", game, round, numbers, was }, ({ refused }) => {
      if (refused) find("amend").querySelector(".refused")?.replaceChildren(refused);
      else amend(null);
    });
  };
  entering = entered?.game;
  find("amend").replaceChildren(...(entered ? [formOf(entered, put, () => amend(null))] : []));
  find("amend").querySelector("input, select")?.focus();
}

// The pages of the statistics, beside the kit: read again whenever they are opened.
function showHistory(page) {
  find("pages").src = page;
  find("history").open = true;
}

find("history").addEventListener("toggle", () => {
  if (!find("history").open) find("pages").removeAttribute("src");
  else if (!find("pages").hasAttribute("src")) showHistory("history");
});

find("sheet").addEventListener("click", () => showHistory(`games/${scores.game}`));

// Where the reader has got to, not where the drawer was opened. Keys are the kit's there, too.
find("pages").addEventListener("load", () => {
  const { contentWindow } = find("pages");
  find("out").href = contentWindow.location.href;
  listenToKeys(contentWindow);
  contentWindow.addEventListener("click", leave);
  for (const kind of WAKING) contentWindow.addEventListener(kind, wakeSound, true);
});

// A click leaves no button, link or summary under the keys: else the next Enter clicks it again.
function leave(event) {
  if (event.detail > 0) event.target.closest?.("a, button, summary")?.blur();
}

// A name was entered: it is known now, or refused.
function welcome(refused) {
  find("refused").replaceChildren(...parts(refused));
  if (!refused) find("new").reset();
}

let agreed = []; // to what has been asked about the name

// What is asked about a name before it is taken; null: nothing. A short name is entered beside it.
function askName(asks) {
  const choices = (asks?.choices ?? []).map(({ label, agreed: answer }) => {
    const button = element("button", "", label);
    button.type = "button";
    button.onclick = () => (answer === null ? welcome("") : sendName(answer));
    return button;
  });
  find("asks").replaceChildren(...(asks?.lines ?? []).map((line) => element("p", "", line)), ...choices);
  find("short").hidden = !asks?.latin;
  if (asks?.latin) find("new").elements.latin.focus();
}

function sendName(answer) {
  agreed = answer;
  find("refused").textContent = ""; // the same reason again is read out, too
  const { name, latin } = find("new").elements;
  know(name.value.trim());
  wish({ do: "add", name: name.value, latin: find("short").hidden ? "" : latin.value, agreed }, ({ refused, asks }) => {
    if (!refused) askName(asks); // else what was asked stays
    if (!asks) welcome(refused);
  });
}

find("new").addEventListener("submit", (event) => {
  event.preventDefault();
  sendName(agreed);
});

find("new").addEventListener("reset", () => {
  agreed = [];
  askName(null);
});

find("new").elements.name.addEventListener("input", () => {
  agreed = []; // it was about another name
  askName(null);
});

function side([where, names]) {
  const made = element("div", `side ${where}`);
  made.append(...names.map((name) => places.find((place) => place.dataset.name === name)));
  return made;
}

function fit() {
  // Whole device pixels for each pixel of the picture, so that all have the same size.
  const wide = matchMedia("(min-width: 640px) and (min-aspect-ratio: 6/5)").matches;
  const across = parseFloat(getComputedStyle(kit).getPropertyValue("--across")) || 0.82; // of the window's height
  const beside = Math.min(innerWidth * (innerHeight > 560 ? 0.5 : 0.42), innerHeight * across, innerHeight * 1.1 - 160);
  const whole = Math.max(1, Math.floor((beside * devicePixelRatio) / 128)) / devicePixelRatio;
  const { paddingLeft, paddingRight } = getComputedStyle(find("display"));
  const full = (find("display").clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)) / 128;
  const pixel = wide ? whole : Math.min(full, innerHeight / 256); // a phone uses its whole width
  canvas.parentElement.style.setProperty("--pixel", `${pixel}px`);
}

// --- display, spoken words, switches ---

function drawPicture(base64) {
  const rows = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const image = new ImageData(128, 64);
  const pixels = new Uint32Array(image.data.buffer);
  for (let n = 0; n < pixels.length; n++) {
    if (rows[n >> 3] & (0x80 >> (n & 7))) pixels[n] = 0xfffff2e2; // ABGR: white with a breath of blue
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
}

// For screen readers. Only a line that changes is spoken, once it is calm; the others do not wait for it. What keys and
// presses have just changed comes first: all that stands round it is long.
function speak(news) {
  words = news;
  canvas.setAttribute("aria-label", words.display);
  find("leds").setAttribute("aria-label", words.strip);
  [words.chosen, words.lasting, words.asked, words.verdict].forEach((text, n) => {
    if (speaking[n]?.text === text) return;
    clearTimeout(speaking[n]?.timer);
    const line = find("spoken").children[n];
    const say = () => line.textContent === text || line.replaceChildren(...parts(text));
    speaking[n] = { text, timer: setTimeout(say, CALM_MS) };
  });
}

// Each flash is an element of its own: one with the same text as the last is read out, too.
function readOut(flashes) {
  for (const { number, text } of flashes) {
    if (number <= flashed) continue;
    const line = element("p", "", text);
    find("flashes").append(line);
    setTimeout(() => line.remove(), READ_MS);
  }
  flashed = newest(flashes);
}

const newest = (flashes) => flashes.at(-1)?.number ?? 0;

function showFinish() {
  const finish = find("finish");
  finish.hidden = evidence === null;
  if (evidence === null) finish.open = false;
  else find("photo").innerHTML = evidence.figure;
}

function showPlug(part, fitted) {
  find(part).classList.toggle("unplugged", !fitted);
  showSwitch(find(`plug-${part}`), fitted, fitted ? _("plugged in") : _("unplugged"));
}

function showSwitch(button, on, text) {
  button.setAttribute("aria-checked", on);
  button.lastElementChild.textContent = text;
}

function showStatus() {
  const lost = Object.values(troubles).filter(Boolean);
  const status = find("status");
  const offline = described ? _("Connection lost. Trying again…") : _("Connecting…");
  const text = online() ? lost.join("  ·  ") || _("Connected") : offline;
  if (status.textContent !== text) status.textContent = text;
  status.classList.toggle("trouble", !online() || lost.length > 0);
  kit.classList.toggle("offline", !online());
}

// --- sound: off until the first click or key, as browsers demand ---

let audio = null;
let muted = false;
let wokenBySwitch = false;
let playing = null;

function wakeSound(event) {
  if (audio === null) {
    audio = new AudioContext();
    audio.onstatechange = showSound;
    wokenBySwitch = find("sound").contains(event.target);
  }
  if (audio.state === "suspended") audio.resume().catch(() => {});
  showSound();
}

function showSound() {
  const awake = audio?.state === "running";
  showSwitch(find("sound"), awake && !muted, muted ? _("off") : awake ? _("on") : _("starts with a click"));
}

function play(tune) {
  playing?.disconnect(); // a new tune cuts off the old one
  playing = null;
  if (audio?.state !== "running" || muted) return;
  playing = new GainNode(audio, { gain: 0.12 });
  playing.connect(audio.destination);
  let at = audio.currentTime + 0.01;
  for (const [hz, ms] of tune) {
    const end = at + ms / 1000;
    if (hz > 0 && ms > 0) {
      const tone = new OscillatorNode(audio, { type: hz < 700 ? "square" : "triangle", frequency: hz });
      const loud = new GainNode(audio, { gain: 0 });
      const fade = Math.min(0.004, ms / 4000); // no click at the ends
      loud.gain.setValueAtTime(0, at);
      loud.gain.linearRampToValueAtTime(hz < 700 ? 0.5 : 1, at + fade);
      loud.gain.setValueAtTime(hz < 700 ? 0.5 : 1, end - fade);
      loud.gain.linearRampToValueAtTime(0, end);
      tone.connect(loud).connect(playing);
      tone.start(at);
      tone.stop(end);
    }
    at = end;
  }
}

const WAKING = ["pointerdown", "pointerup", "keydown"];
for (const kind of WAKING) addEventListener(kind, wakeSound, true);

// --- presses: a part is down while a finger, the mouse, a key or a shift-click holds it ---

const LATCH = "latch";
const ALL = "all"; // as a latch, but it lets go by itself
const LATCHES = [LATCH, ALL];
const BACK = "back"; // the long OK, released by a timer
const held = new Map(); // by part: its holders
let hands = []; // the parts that the kit asks to be held

const latched = (part) => LATCHES.some((latch) => held.get(part)?.has(latch));
const holdable = (part) => part === "ok" || part?.startsWith("button-");
const switchable = (part) => part === "back" || part === "hold-all" || part?.startsWith("latch-");

function report(part, down) {
  send(part === "ok" ? { ok: down } : { button: part.slice("button-".length), down });
}

function paint(part) {
  for (const button of document.querySelectorAll(`[data-part="${CSS.escape(part)}"]`)) {
    button.classList.toggle("down", held.has(part));
    button.classList.toggle("latched", latched(part));
  }
  const itsLatch = CSS.escape(part.replace("button-", "latch-"));
  for (const button of document.querySelectorAll(`.latch[data-part="${itsLatch}"]`)) {
    button.setAttribute("aria-pressed", latched(part));
    button.textContent = latched(part) ? _("Held") : _("Hold");
    const name = part.slice("button-".length);
    button.setAttribute("aria-label", latched(part) ? _("Held {name}", { name }) : _("Hold {name}", { name }));
  }
  paintHoldAll();
  if (part !== "ok") return;
  const going = held.get(part)?.has(BACK) ?? false;
  for (const button of document.querySelectorAll(".way-back")) button.classList.toggle("down", going);
}

function hold(part, holder) {
  if (!online() || !canPress(part)) return;
  const holders = held.get(part) ?? new Set();
  if (holders.size === 0) report(part, true);
  held.set(part, holders.add(holder));
  paint(part);
}

function release(part, holder) {
  const holders = held.get(part);
  if (!holders?.delete(holder)) return;
  if (holders.size === 0) {
    held.delete(part);
    report(part, false);
  }
  paint(part);
}

function canPress(part) {
  const button = document.querySelector(`[data-part="${CSS.escape(part)}"]:not(:disabled)`);
  return button !== null && (part !== "ok" || !(find("knob-control").hidden && find("three-control").hidden));
}

function releaseAll() {
  for (const [part, holders] of [...held]) {
    for (const holder of [...holders]) if (holder !== BACK) release(part, holder); // cut short it would be an OK
  }
}

function forget() {
  const parts = [...held.keys()];
  held.clear();
  parts.forEach(paint);
  ask([]);
}

function press(part, holder, shift = false) {
  if (latched(part)) unlatch(part);
  else hold(part, shift ? LATCH : holder);
}

function unlatch(part) {
  for (const latch of LATCHES) release(part, latch);
}

// Other buttons are to be held than before; after a signal none: hands leave them, so that the next press counts.
function ask(buttons) {
  hands = buttons.map((name) => `button-${name}`);
  for (const part of [...held.keys()]) if (!hands.includes(part)) release(part, ALL);
  paintHoldAll();
}

const allHeld = () => hands.length > 0 && hands.every(latched);

function holdAll() {
  if (allHeld()) return hands.forEach(unlatch);
  for (const part of hands) {
    hold(part, ALL);
    release(part, LATCH); // it goes up with the others
  }
}

function paintHoldAll() {
  find("hold-all").setAttribute("aria-disabled", hands.length === 0);
  find("hold-all").setAttribute("aria-pressed", allHeld());
}

function goBack() {
  if (held.has("ok")) return;
  hold("ok", BACK);
  setTimeout(release, LONG_MS, "ok", BACK);
}

// Parts without press and release: Back, Hold all, and the latch of a button.
function actuate(part) {
  if (part === "back") goBack();
  else if (part === "hold-all") holdAll();
  else press(part.replace("latch-", "button-"), LATCH, true);
}

const TURNS = {
  "knob-up": { turn: 1, knob: true },
  "knob-down": { turn: -1, knob: true },
  up: { turn: 1, knob: false },
  down: { turn: -1, knob: false },
};

function turn(message) {
  if (find("knob-control").hidden && find("three-control").hidden) return;
  send(message);
  if (message.knob) rotate(message.turn * STEP_DEG);
}

const partOf = (event) => event.target.closest?.("button[data-part]:not(:disabled)")?.dataset.part;

kit.addEventListener("pointerdown", (event) => {
  const part = partOf(event);
  if (event.button !== 0 || part === undefined) return;
  if (holdable(part)) {
    event.target.closest("button").setPointerCapture(event.pointerId);
    press(part, `pointer ${event.pointerId}`, event.shiftKey);
  } else if (switchable(part)) actuate(part);
  else if (part in TURNS) turn(TURNS[part]);
});

for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
  addEventListener(kind, (event) => {
    for (const part of [...held.keys()]) release(part, `pointer ${event.pointerId}`);
  });
}

kit.addEventListener("click", (event) => {
  leave(event);
  if (event.detail > 0) return;
  const part = partOf(event); // no pointer, no key: a screen reader
  if (holdable(part)) {
    press(part, "click");
    setTimeout(release, TAP_MS, part, "click");
  } else if (switchable(part)) actuate(part);
  else if (part in TURNS) turn(TURNS[part]);
});

kit.addEventListener("contextmenu", (event) => event.preventDefault()); // a long press is a press

const WRITTEN = "input, select, textarea"; // a text is entered there, or a choice
const PRESSED = "a, button, summary"; // by Enter and the space bar

const outside = (event) => event.target.ownerDocument !== document || event.target.closest?.(".drawer") != null;
const presses = (event) => outside(event) && event.target.closest?.(PRESSED) != null;

function keyPart(event) {
  const digit = /^(?:Digit|Numpad)([1-6])$/.exec(event.code);
  if (/^(?:Digit|Numpad)0$/.test(event.code)) return "hold-all";
  if (digit) return places[digit[1] - 1]?.firstChild.dataset.part;
  return event.key === "Enter" ? "ok" : event.key === " " ? partOf(event) : undefined;
}

const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "knob-down", ArrowRight: "knob-up" };
let turned = null; // the question at which the held arrow went down

function arrowKey(part, repeat) {
  if (!repeat) turned = words?.question;
  if (turned === words?.question) turn(TURNS[part]); // a held arrow answers no further question
}

function shutOrBack() {
  const open = document.querySelector(".drawer[open]");
  if (!open) return goBack();
  open.open = false;
  document.activeElement.blur(); // the next Enter is OK again
}

function keyDown(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.matches?.(WRITTEN) && event.key !== "Escape") return;
  lookFor(event);
  if (presses(event) && (event.key === "Enter" || event.key === " ")) return;
  const part = keyPart(event);
  const arrow = ARROWS[event.key] ?? (part in TURNS ? part : undefined);
  const others = { Escape: shutOrBack, "?": () => find("help").hidden || find("help").toggleAttribute("open") };
  const other = others[event.key] ?? (switchable(part) ? () => actuate(part) : undefined);
  if (arrow === undefined && other === undefined && !holdable(part)) return;
  event.preventDefault();
  if (arrow !== undefined) {
    if (!event.repeat || event.key in ARROWS) arrowKey(arrow, event.repeat);
  } else if (event.repeat) return;
  else if (other !== undefined) other();
  else press(part, `key ${event.code}`);
}

function keyUp(event) {
  if (event.key === " " && partOf(event) && !outside(event)) event.preventDefault();
  for (const part of [...held.keys()]) release(part, `key ${event.code}`);
}

// The kit's keys, in its own window and in that of the pages beside it.
function listenToKeys(place) {
  place.addEventListener("keydown", keyDown);
  place.addEventListener("keyup", keyUp);
  place.addEventListener("blur", releaseAll);
}

listenToKeys(window);
addEventListener("pagehide", releaseAll);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) releaseAll();
  else if (!socket) connect();
});

// --- a list in which something is looked for ---

const seek = find("seek");

function showSought(sought) {
  seek.hidden = sought === null;
  if (seek !== document.activeElement || sought === null) seek.value = sought ?? "";
  if (sought === null) seek.blur();
}

// A letter typed anywhere is the first of what is looked for.
function lookFor(event) {
  if (seek.hidden || outside(event) || !/^\p{L}$/u.test(event.key)) return;
  seek.focus();
}

seek.addEventListener("input", () => send({ seek: seek.value }));
seek.addEventListener("keydown", (event) => {
  const arrow = { ArrowUp: "up", ArrowDown: "down" }[event.key];
  if (arrow !== undefined) arrowKey(arrow, event.repeat);
  else if (event.key === "Enter" && !event.repeat) press("ok", `key ${event.code}`);
  else return;
  event.preventDefault();
});

// --- the knob: drag it, or use the wheel over it ---

const knob = find("knob");
let angleDeg = 0;
let drag = null; // the pointer, its last angle, and the rest of a step
let rolled = 0;

function rotate(byDeg) {
  angleDeg += byDeg;
  find("turning").style.transform = `rotate(${angleDeg}deg)`;
}

function bearing(event) {
  const box = knob.getBoundingClientRect();
  const radians = Math.atan2(event.clientY - box.y - box.height / 2, event.clientX - box.x - box.width / 2);
  return (radians * 180) / Math.PI;
}

knob.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || drag || partOf(event)) return;
  knob.setPointerCapture(event.pointerId);
  drag = { pointer: event.pointerId, at: bearing(event), rest: 0 };
});

knob.addEventListener("pointermove", (event) => {
  if (drag?.pointer !== event.pointerId) return;
  const at = bearing(event);
  drag.rest += ((at - drag.at + 540) % 360) - 180;
  drag.at = at;
  const steps = Math.trunc(drag.rest / STEP_DEG);
  if (steps === 0) return;
  drag.rest -= steps * STEP_DEG;
  turn({ turn: steps, knob: true });
});

for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
  knob.addEventListener(kind, (event) => {
    if (drag?.pointer === event.pointerId) drag = null;
  });
}

knob.addEventListener(
  "wheel",
  (event) => {
    if (event.ctrlKey) return; // it zooms the page
    event.preventDefault();
    const px = -event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : NOTCH_PX);
    rolled = Math.sign(px) === Math.sign(rolled) ? rolled + px : px;
    if (Math.abs(rolled) < NOTCH_PX) return;
    turn({ turn: Math.sign(rolled), knob: false });
    rolled = 0;
  },
  { passive: false },
);

// --- the parts drawer ---

for (const part of ["display", "strip"]) {
  const button = find(`plug-${part}`);
  button.addEventListener("click", () => send({ plug: part, in: button.getAttribute("aria-checked") !== "true" }));
}

find("sound").addEventListener("click", () => {
  if (!wokenBySwitch) muted = !muted;
  wokenBySwitch = false;
  if (muted) playing?.disconnect();
  showSound();
});

for (const drawer of document.querySelectorAll(".drawer")) {
  drawer.addEventListener("toggle", () => {
    if (drawer.open) drawer.querySelector(".tray").scrollIntoView({ block: "nearest" });
  });
}
addEventListener("resize", fit);
addEventListener("resize", layStrip);
translatePage();
showSound();
fit();
connect();
