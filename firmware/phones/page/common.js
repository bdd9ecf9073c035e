// What phones and boards share: the link to the kit, which comes back by itself, and how seats and scores look.
// Written for iOS 12.2 and Chrome 63 (docs/decisions/0015): no syntax, method or style that is newer.

import { ask, listen } from "./silence.js";
import { _, know, named, parts } from "./words.js";

const WAIT_MS = { first: 250, most: 2000 };
const NO_SESSION = 4401;
const NOTHING = "{}"; // the kit says that it is there

export const find = (id) => document.getElementById(id);

export function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className || "";
  if (text !== undefined) made.append(...parts(text));
  return made;
}

// The names that news bring stand in texts from now on.
export function knowNames({ game, me }) {
  if (game) know(...game.names);
  if (me) know(me.tag);
  knowPlaces((me && me.places) || []);
}

export function knowPlaces(places) {
  for (const { label, name } of places) know(label, name);
}

// Puts these in place of all that an element has; also where it has that already, so that nothing is read out again.
export function fill(parent, ...some) {
  const children = [].concat(...some.map((child) => (typeof child === "string" ? parts(child) : child)));
  const made = element(parent.tagName);
  made.append(...children);
  if (made.innerHTML === parent.innerHTML) return;
  parent.textContent = "";
  parent.append(...children);
}

// Sends a wish: the same press counts once.
export function wish(kit, fields) {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  kit.send({ ...fields, id });
}

export function write(id, text) {
  fill(find(id), text);
}

export function show(id) {
  for (const part of document.querySelectorAll("main")) part.hidden = part.id !== id;
}

// `onNews` gets what has changed. `onOut` is called where this phone has to join first, and gets the reason. `again`
// connects; "?joined" says that this phone has just joined.
export function link(onNews, onOut) {
  let socket = null;
  let tries = 0;
  let retry = 0;
  const heard = listen(() => socket && lost());

  function connect(how = "") {
    clearTimeout(retry);
    if (socket) socket.close();
    heard();
    const opened = (socket = new WebSocket(`ws://${location.host}/ws${how}`));
    opened.onmessage = (event) => {
      if (opened !== socket) return;
      heard();
      tries = 0;
      find("status").textContent = "";
      if (event.data !== NOTHING) onNews(JSON.parse(event.data));
      runs();
    };
    opened.onclose = (event) => {
      if (opened !== socket) return;
      if (event.code === NO_SESSION) {
        socket = null;
        onOut(event.reason);
        runs();
        return;
      }
      lost();
    };
  }

  function lost() {
    const gone = socket;
    socket = null;
    gone.close();
    find("status").textContent = _("No connection. Trying again…");
    retry = setTimeout(connect, Math.min(WAIT_MS.most, WAIT_MS.first * 2 ** tries++));
  }

  function wake() {
    if (document.visibilityState === "visible") {
      tries = 0;
      connect();
    }
  }

  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  addEventListener("online", wake);
  return {
    again: connect,
    send: (message) => {
      if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
  };
}

// From here on an error does not mean that the browser is too old (old.js).
function runs() {
  document.documentElement.dataset.runs = "";
}

// Asks for the places of this table ("/look"), or joins it ("/join"). Returns what the kit says.
export async function request(path, message) {
  const answer = await ask(path, { method: "POST", body: JSON.stringify(message) })
    .then((given) => given.json()) // one that is cut off, or busy, has no words
    .catch(() => ({ refused: _("The kit does not answer.") }));
  runs();
  return answer;
}

// What this phone is called: the same as on the kit's display.
export function drawTag(me) {
  write("tag", _("phone {tag}", me));
}

// The dome of a player's button, in its colour, in front of a name.
export function domeOf(button, name) {
  const made = named(name, "seat");
  made.dataset.button = button === null ? "none" : button;
  return made;
}

export function nameOf(game, seat) {
  return domeOf(game.buttons[seat], game.names[seat]);
}

// Seats in a row.
export function namesOf(game, seats) {
  const names = seats.map((seat, n) => {
    const made = element("span", "one");
    made.append(nameOf(game, seat), n < seats.length - 1 ? "," : "");
    return [" ", made];
  });
  return [].concat(...names);
}

// What stands where no game does.
export function withoutGame(invites) {
  return invites || _("No game is on the table.");
}

// What people are told beside the question; what is wrong with the numbers only as long as it is.
export function saidOf(game, { closes }) {
  return game.wrong && !closes ? [game.wrong, ...game.said] : game.said;
}

// Where the game stands, and the question, as the display has them. `asked`: what stands for the question.
export function drawQuestion(game, count, said, ...asked) {
  write("where", game.where.join(" · "));
  fill(find("asked"), ...asked);
  const seconds = count === null ? [] : [element("p", "count", count)];
  fill(find("face"), ...said.map((text) => element("p", "", text)), ...seconds);
}

let clocks = []; // of the display, with the moment at which each is up

// They are told once, and run on here.
export function hearClocks(told) {
  clocks = told.map((clock) => ({ ...clock, until: performance.now() + clock.ms }));
}

// Outside of what is read out by itself: a clock would never let it finish.
export function drawClocks(game) {
  const some = clocks.map(({ seat }) => {
    const one = element("span", "clock");
    if (seat !== null) one.append(nameOf(game, seat), " ");
    one.append(element("b"));
    return one;
  });
  find("clocks").textContent = "";
  if (game) find("clocks").append(...some);
  find("clocks").hidden = !game || !some.length;
  tick();
}

function tick() {
  find("clocks").querySelectorAll("b").forEach((time, n) => {
    const text = timeOf(clocks[n]);
    if (time.textContent !== text) time.textContent = text;
  });
}

// As the display has it: the second that has begun is still there.
function timeOf({ runs, ms, until, over }) {
  const left = Math.ceil((runs ? until - performance.now() : ms) / 1000);
  const seconds = over ? Math.abs(left) : Math.max(0, left);
  return `${over && left < 0 ? "−" : ""}${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}

setInterval(tick, 100);

// What is answered already of the round under way: the bids, while tricks are asked.
export function drawKnown(game) {
  const lines = (game ? game.known : []).map(({ text, said }) => {
    const line = element("p");
    line.append(...parts(text));
    for (const [seats, words] of said) {
      const one = element("span", "one");
      one.append(...seats.map((seat) => nameOf(game, seat)), " ", element("b", "", words));
      line.append(" ", one);
    }
    return line;
  });
  fill(find("known"), ...lines);
}

// Who answers where nobody in particular is asked, or no answer is missing: OK on the kit, and the phone for the table.
// `covered`: the kit shows something else, which OK there would answer.
export function byOk(game, me, covered) {
  const text = whoAnswers(game, me);
  return text && covered ? `${_("First close what the kit shows.")} ${text}` : text;
}

function whoAnswers(game, { closes, missing, table }) {
  if (closes) return table ? _("All have answered: OK on the kit, or on {table}.", { table }) : _("All have answered: OK on the kit.");
  if (game.wrong && !(missing && missing.length)) return _("A number has to be put right, on the kit or on a phone.");
  if (game.ok === null || game.on_kit) return "";
  if (game.ok) return table ? _("OK on the kit, or on {table}: {ok}", { ...game, table }) : _("OK on the kit: {ok}", game);
  return table ? _("This is answered on the kit, or on {table}.", { table }) : _("This is answered on the kit.");
}

// The seats whose answer is missing; of a count those that have not entered a number yet.
export function stillAsked(game, missing) {
  if (game.over) return [];
  return missing || game.turn;
}

// `asked`: the seats whose answer is missing.
export function drawScores(game, mine, asked) {
  const counted = game && game.beside.some(Boolean);
  const rows = (game ? game.scores : []).map(([seat, points, place]) => {
    const row = element("tr", mine.includes(seat) ? "mine" : "");
    const who = element("th");
    who.scope = "row";
    who.append(nameOf(game, seat));
    if (asked.includes(seat)) who.append(" ", element("span", "turn", _("asked")));
    const beside = counted ? [element("td", "beside", game.beside[seat].replace("-", "−"))] : [];
    row.append(element("td", "place", `${place}.`), who, ...beside, element("td", "points", points));
    return row;
  });
  find("scores").hidden = !rows.length;
  fill(find("scores").querySelector("tbody"), ...rows);
}

let photo = "";

// The photo finish of the latest race.
export function drawPhoto(evidence) {
  const figure = evidence ? evidence.figure : "";
  find("photo").hidden = !figure;
  if (figure !== photo) find("photo").innerHTML = photo = figure;
}
