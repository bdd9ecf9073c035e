// What the seats of a phone are asked, and their answers: each is sent until the kit acknowledges it.

import { _ } from "./words.js";
import { element, find, namesOf, write } from "./common.js";

const AGAIN_MS = 1500; // an answer that is not acknowledged is sent again
const SAID_MS = 6000;
const FEW = 13; // numbers that are a key each
const LETTERS = 2; // of an option that needs no more room than a number
const DIGITS = 3; // that may always be typed
const TRY_MS = 250; // from the last key until the kit is asked for the total

let kit, redraw; // of the page
let game = null;
let me = null;
let heading = ""; // what stands above all questions
const typed = {}; // by question: the digits so far, with a minus in front
let over = ""; // the question whose number would have been beyond its limits
const tried = {}; // by question: the latest number that the kit was asked about, and the total that it becomes
let others = ""; // what was sent when it said so
let box = ""; // the box that is chosen
const words = {}; // by question: the letters so far
let pending = null; // the answer that is not acknowledged yet
let again = 0;
let drawn = ""; // what stands there: keys that are pressed right now are not made anew

export function begin(link, onDraw) {
  kit = link;
  redraw = onDraw;
}

// The questions that nothing was sent for yet, asides left out.
export function openOf(news) {
  return news.asks.filter((ask) => !ask.aside && !sentFor(news, ask) && !atKit(news, ask));
}

// Shows the questions of this phone below a heading.
export function drawQuestions(news, on, above) {
  me = news;
  game = on;
  heading = above;
  if (!me.asks.some((ask) => ask.id === box)) box = "";
  const sent = JSON.stringify(me.sent);
  for (const id of Object.keys(tried)) if (sent !== others) delete tried[id];
  others = sent;
  for (const some of [typed, words, tried]) {
    for (const id of Object.keys(some)) if (!me.asks.some((ask) => ask.id === id)) delete some[id];
  }
  const now = JSON.stringify([me.asks, me.sent, me.at_kit, me.kept, me.seats, game && game.names, above, typed, over, Object.keys(tried).map((id) => [id, tried[id].total]), box, pending && pending.ask.id]);
  if (now === drawn) return;
  drawn = now;
  const focused = document.activeElement && document.activeElement.dataset.key;
  const asides = together(me.asks.filter((ask) => ask.aside));
  find("asks").textContent = "";
  find("asks").append(...me.kept.map(early), ...boxes(me.asks.filter((ask) => !ask.aside)));
  if (asides.length) find("asks").append(element("hr"), ...asides);
  const key = focused && find("asks").querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (key) key.focus();
}

function sentFor(news, ask) {
  return news.sent.find(([seat]) => seat === ask.seat && ask.low !== undefined && !ask.aside);
}

// The number that was entered by the button on the kit.
function atKit(news, ask) {
  return news.at_kit.find(([seat]) => seat === ask.seat && ask.low !== undefined && !ask.aside);
}

// The questions, of several boxes of a seat one: which box, then its number.
function boxes(asks) {
  const made = [];
  for (const ask of asks) {
    const all = ask.alone === "box" ? asks.filter((one) => one.alone === "box" && one.seat === ask.seat) : [];
    const chosen = all.find((one) => one.id === box);
    if (!all.length) made.push(question(ask));
    else if (all[0] === ask) made.push(chosen ? inBox(chosen) : choice(all));
  }
  return made;
}

function choice(all) {
  const made = element("section");
  const keys = element("div", "options");
  made.append(...whose(all[0].seat), keys);
  keys.append(...all.map((ask) => boxKey(ask, ask.text, ask.id)));
  return made;
}

function inBox(ask) {
  const made = question(ask);
  made.append(boxKey(ask, _("Another box"), ""));
  return made;
}

function boxKey(ask, text, id) {
  const key = element("button", "", text);
  key.dataset.key = `${ask.id} box`;
  key.onclick = () => {
    box = id;
    redraw();
  };
  return key;
}

// Asides, those of a single key in one box.
function together(asides) {
  const boxes = [];
  let before = ""; // whose the key before was
  for (const ask of asides) {
    const box = question(ask);
    const last = boxes[boxes.length - 1];
    const whose = JSON.stringify([ask.seat, ask.for_seats]);
    if (last && whose === before && box.lastChild.tagName === "BUTTON" && last.lastChild.tagName === "BUTTON") {
      if (box.firstChild.className === "whose") box.firstChild.remove();
      last.append(...box.childNodes);
    } else boxes.push(box);
    before = whose;
  }
  return boxes;
}

// What a seat has answered before its turn.
function early({ seat, said }) {
  const made = element("section");
  made.append(...whose(seat));
  for (const [asked, answered] of said) made.append(element("p", "kept", `${asked} ${answered} ✓`));
  return made;
}

// Whose question it is, where the phone answers for several, or in the place of others.
function whose(seat, for_seats = []) {
  const own = seat !== null && me.seats.includes(seat) && me.asks.every((ask) => ask.seat === null || ask.seat === seat);
  const seats = own ? [] : seat === null ? for_seats : [seat];
  if (!seats.length || (seat === null && seats.every((one) => me.seats.includes(one)))) return [];
  const made = element("p", "whose");
  made.append(...namesOf(game, seats));
  return [made];
}

// One question. The words above it stand over all of them already, where they are the same.
function question(ask) {
  const made = element("section", ask.aside ? "aside" : "");
  made.append(...whose(ask.seat, ask.for_seats));
  const plain = !ask.options && !ask.letters && ask.low === undefined;
  if (ask.aside && ask.low !== undefined) return folded(made, ask);
  if (!plain && ask.text !== heading) made.append(element("h3", "", ask.text));
  if (ask.letters) made.append(...word(ask));
  else if (ask.options) made.append(options(ask));
  else if (plain) made.append(press(ask, null, ask.does || ask.text), ...both(ask));
  else made.append(...number(ask));
  return made;
}

function press(ask, value, text) {
  const made = element("button", "main", text);
  made.dataset.key = `${ask.id} ${value}`;
  made.disabled = pending !== null && pending.ask.id === ask.id;
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
  const made = element("div", small ? "few picks" : "options");
  made.append(...ask.options.map(([value, text]) => press(ask, value, text)));
  return made;
}

// A number beside the question, which is hardly ever wanted.
function folded(made, ask) {
  const more = element("details");
  more.append(element("summary", "", _("Also: {text}", ask)), ...number(ask));
  made.append(more);
  return made;
}

// A word, typed on the phone's own keyboard.
function word(ask) {
  const form = element("form");
  const input = element("input");
  input.maxLength = 60;
  input.required = true;
  input.value = words[ask.id] || "";
  input.dataset.key = `${ask.id} word`;
  input.autocomplete = "off";
  input.setAttribute("aria-label", ask.text);
  input.oninput = () => {
    words[ask.id] = input.value;
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    answer(ask, input.value);
  };
  const send = press(ask, "send", _("Send"));
  send.onclick = null; // the form does
  form.append(element("p", "limits", _("at most {letters} of A to Z and 0 to 9", ask)), input, send);
  const none = press(ask, null, ask.none);
  none.className = "";
  return [form, none];
}

// A number: one of a few is one tap; else the pad types it, and Send sends it. It may be changed until the question closes.
function number(ask) {
  const sent = sentFor(me, ask);
  if (ask.words && ask.words.length) return few(ask, sent);
  const keys = ask.high - ask.low < FEW && !(ask.step > 1);
  return [limits(ask), ...(keys ? few(ask, sent) : pad(ask, sent))];
}

function few(ask, sent) {
  const words = ask.words || [];
  const there = atKit(me, ask);
  const row = element("div", words.some((text) => text.length > LETTERS) ? "options picks" : "few picks");
  for (let value = ask.low; value <= ask.high; value++) {
    if (words[value - ask.low] === "") continue; // who is out
    const key = press(ask, value, words.length ? words[value - ask.low] : `${value}`);
    const chosen = Boolean(sent) && sent[1] === value;
    key.classList.toggle("sent", chosen);
    key.classList.toggle("expected", !sent && (there ? there[1] : ask.prefill) === value);
    key.setAttribute("aria-pressed", chosen);
    row.append(key);
  }
  if (sent) return [row, ...become(ask, sent), kept()];
  return there ? [row, ...become(ask, there), entered(words.length ? words[there[1] - ask.low] : minus(there[1]))] : [row];
}

function pad(ask, sent) {
  const digits = typed[ask.id] || "";
  const changed = digits !== "" || !sent;
  const value = valueOf(ask, sent);
  const fits = value !== null && ask.low <= value && value <= ask.high;
  const shown = element("output", changed ? "" : "sent", digits === "-" ? "−" : value === null ? "–" : minus(value));
  const keys = element("div", "pad");
  const signs = ask.low < 0 && ask.high > 0 ? ["±", "0", "⌫", "send"] : ["⌫", "0", "send"];
  const steps = ask.step > 1 ? [`−${ask.step}`, `+${ask.step}`] : [];
  for (const sign of [...steps, "1", "2", "3", "4", "5", "6", "7", "8", "9", ...signs]) {
    const key = element("button", sign === "send" ? "main" : steps.includes(sign) ? "step" : "", sign === "send" ? _("Send") : sign);
    key.dataset.key = `${ask.id} ${sign}`;
    if (sign === "⌫") key.setAttribute("aria-label", _("delete"));
    if (sign === "±") key.setAttribute("aria-label", _("minus"));
    if (sign === "send") {
      key.disabled = !fits || !changed || (pending !== null && pending.ask.id === ask.id);
      if (signs.length > 3) key.classList.add("wide");
      key.onclick = () => answer(ask, value);
    } else if (steps.includes(sign)) {
      key.onclick = () => step(ask, value, sign === steps[0] ? -ask.step : ask.step);
    } else {
      key.onclick = () => type(ask, sign);
    }
    keys.append(key);
  }
  const there = sent || digits ? undefined : atKit(me, ask);
  return [shown, ...become(ask, sent), ...(changed ? [] : [kept()]), ...(there ? [entered(minus(there[1]))] : []), keys];
}

function entered(number) {
  return element("p", "kept", _("{number}, on the kit", { number }));
}

function kept() {
  return element("p", "kept", _("Sent. You may still change it."));
}

function limits(ask) {
  const worth = ask.each ? _("each counts {points}", { points: `${ask.each > 0 ? "+" : "−"}${Math.abs(ask.each)}` }) : "";
  const said = _("{low} to {high}", { low: minus(ask.low), high: minus(ask.high) });
  return element("p", over === ask.id ? "limits over" : "limits", [said, worth].filter(Boolean).join(" · "));
}

const minus = (number) => `${number}`.replace("-", "−");

// The number that is typed, else what was sent or is expected; null: none yet.
function valueOf(ask, sent) {
  const digits = typed[ask.id] || "";
  const there = atKit(me, ask);
  const before = sent ? sent[1] : there ? there[1] : ask.prefill;
  if (digits === "-" || (digits === "" && before === undefined)) return null;
  return digits === "" ? before : Number(digits);
}

// What the total becomes, where the kit knows it.
function become(ask, sent) {
  const value = valueOf(ask, sent);
  if (!ask.tries || ask.seat === null || value === null) return [];
  const { total } = askTotal(ask, value);
  return [element("p", "become", total === null ? "\u00a0" : _("new total: {total}", { total: minus(total) }))];
}

function askTotal(ask, value) {
  const before = tried[ask.id];
  if (before && before.value === value) return before;
  if (before) clearTimeout(before.timer);
  const now = { value, total: null, timer: 0 };
  if (ask.low <= value && value <= ask.high) now.timer = setTimeout(() => kit.send({ try: ask.id, value }), TRY_MS);
  return (tried[ask.id] = now);
}

// What the kit says to a number that is being typed.
export function hear({ ask, value, total }) {
  if (tried[ask] && tried[ask].value === value) tried[ask].total = total;
}

function type(ask, sign) {
  const now = typed[ask.id] || "";
  const digits = now.replace("-", "");
  const below = now[0] === "-" || (now === "" && ask.high <= 0);
  if (sign === "⌫") put(ask, now.slice(0, -1));
  else if (sign === "±") put(ask, now[0] === "-" ? digits : `-${digits}`);
  else put(ask, `${below ? "-" : ""}${digits === "0" ? "" : digits}${sign}`);
}

function step(ask, value, by) {
  const from = value === null ? Math.min(Math.max(0, ask.low), ask.high) - (by > 0 ? by : 0) : value;
  put(ask, `${Math.min(Math.max(from + by, ask.low), ask.high)}`);
}

// Takes what is typed. What is beyond the limits stands there, and cannot be sent: a digit less would be another number.
function put(ask, text) {
  if (text.replace("-", "").length > Math.max(DIGITS, `${Math.max(ask.high, -ask.low)}`.length)) return;
  const number = Number(text === "-" ? 0 : text);
  over = number > Math.max(0, ask.high) || number < Math.min(0, ask.low) ? ask.id : "";
  if (text === "") delete typed[ask.id];
  else typed[ask.id] = text;
  redraw();
}

// --- answers ---

// `then`: what is answered next, once this is acknowledged.
function answer(ask, value, then = null) {
  if (pending) return;
  over = "";
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0"));
  pending = { ask, value, then, nonce: nonce.join("") };
  say("");
  send();
  redraw();
}

function send() {
  clearTimeout(again);
  const { ask, value, nonce } = pending;
  const asks = me ? me.asks : [];
  const now = asks.find((one) => one.id === ask.id) || asks.find((one) => alike(one, ask)) || ask;
  kit.send({ ask: now.id, value, nonce });
  again = setTimeout(() => {
    again = 0;
    if (pending) send();
  }, AGAIN_MS);
}

// The connection is new: what was not acknowledged is sent again.
export function sendAgain() {
  if (pending && !again) send();
}

// The same number is still asked for, by a question that was opened anew when the kit was switched on again.
function alike(one, ask) {
  return ask.low !== undefined && one.seat === ask.seat && one.verb === ask.verb && one.text === ask.text;
}

export function acknowledged({ nonce, refused, saved }) {
  if (!pending || pending.nonce !== nonce) return;
  clearTimeout(again);
  again = 0;
  const { ask, then } = pending;
  if (!refused) delete typed[ask.id];
  if (!refused) box = "";
  if (!refused) delete words[ask.id];
  pending = null;
  say(refused || (saved ? "" : _("Entered, but the kit cannot save now.")));
  if (then && !refused) answer(then, null);
}

let saying = 0;

function say(text) {
  clearTimeout(saying);
  write("said", text);
  if (text) saying = setTimeout(() => say(""), SAID_MS);
}
