// The link to the kit, for phones and boards: it comes back by itself, at once when the phone wakes.

import { _ } from "./words.js";

const WAIT_MS = { first: 250, most: 2000 };
const NO_SESSION = 4401;

export const find = (id) => document.getElementById(id);

export function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className ?? "";
  if (text !== undefined) made.textContent = text;
  return made;
}

// `onNews` gets what has changed, `onOut` is called where this phone has to join first. `again` connects.
export function link(onNews, onOut) {
  let socket = null;
  let tries = 0;
  let retry = 0;

  function connect() {
    clearTimeout(retry);
    socket?.close();
    const opened = (socket = new WebSocket(`ws://${location.host}/ws`));
    opened.onmessage = (event) => {
      if (opened !== socket) return;
      tries = 0;
      find("status").textContent = "";
      onNews(JSON.parse(event.data));
    };
    opened.onclose = (event) => {
      if (opened !== socket) return;
      socket = null;
      if (event.code === NO_SESSION) {
        onOut();
        return;
      }
      find("status").textContent = _("No connection. Trying again…");
      retry = setTimeout(connect, Math.min(WAIT_MS.most, WAIT_MS.first * 2 ** tries++));
    };
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
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
  };
}

// Asks for the places of this table ("/look"), or joins it ("/join"). Returns what the kit says.
export async function request(path, message) {
  const answer = await fetch(path, { method: "POST", body: JSON.stringify(message) }).catch(() => null);
  return answer === null ? { refused: _("The kit does not answer.") } : answer.json();
}

// What this phone is called: the same signs as on the kit's display.
export function drawTag(me) {
  find("tag").textContent = _("phone {tag}", me);
}

// A seat's name; the colour of its player is that of its button.
export function nameOf(game, seat) {
  const made = element("bdi", "seat", game.names[seat]);
  made.dataset.seat = seat;
  return made;
}

// What the display says while a question stands. `count`: the seconds of a countdown.
export function drawFace(game, count) {
  const said = (game?.said ?? []).map((text) => element("p", "", text));
  find("face").replaceChildren(...said, ...(count === null ? [] : [element("p", "count", count)]));
}

// The seats whose answer is missing; of a count those that have not entered a number yet.
export function stillAsked(game, missing) {
  return missing?.length ? missing : game.turn;
}

// `asked`: the seats whose answer is missing.
export function drawScores(table, game, mine, asked) {
  table.querySelector("tbody").replaceChildren(
    ...game.scores.map(([seat, points, place]) => {
      const row = element("tr", mine.includes(seat) ? "mine" : "");
      const who = element("th");
      who.scope = "row";
      who.append(nameOf(game, seat));
      if (asked.includes(seat) && !game.over) who.append(element("span", "turn", ` ${_("asked")}`));
      row.append(element("td", "place", `${place}.`), who, element("td", "points", points));
      return row;
    }),
  );
}

// The photo finish of the latest race.
export function drawPhoto(evidence) {
  const photo = find("photo");
  photo.hidden = !evidence;
  photo.innerHTML = evidence?.figure ?? "";
}
