// A board for everybody: round, order, ranked scores, who is to move, races as they happen. It has no control.

import { drawFace, drawPhoto, drawScores, drawTag, element, find, link, nameOf, stillAsked } from "./common.js";
import { _, translatePage } from "./words.js";

let game = null;
let evidence = null;
let count = null;
let missing = null; // the seats that have not entered a number yet

function show(id) {
  for (const part of document.querySelectorAll("main")) part.hidden = part.id !== id;
}

function draw() {
  show("game");
  find("title").textContent = game ? game.title : "Lucky Paw";
  find("scores").hidden = !game;
  if (!game) {
    find("asked").textContent = _("No game is on the table.");
    for (const id of ["where", "face", "order", "race"]) find(id).textContent = "";
  } else {
    const { round, rounds, over, ended, asked, turn } = game;
    find("where").textContent = rounds ? _("round {round} of {rounds}", { round, rounds }) : _("round {round}", { round });
    const names = turn.flatMap((seat) => [" ", nameOf(game, seat)]);
    if (over) find("asked").textContent = ended ? _("The game was ended.") : _("The game is over.");
    else find("asked").replaceChildren(asked, ...names);
    drawFace(game, count);
    const order = game.order.flatMap((seat, n) => [n ? " → " : "", nameOf(game, seat)]);
    find("order").replaceChildren(...(order.length ? [_("in the order of play:"), " ", ...order] : []));
    drawScores(find("scores"), game, [], stillAsked(game, missing));
    drawRace();
  }
  drawPhoto(evidence);
}

function drawRace() {
  const { race } = game;
  const running = race && (race.phase === "armed" || race.phase === "running");
  const parts = running ? race.gaps.map(([name, ns], n) => `${n + 1}. ${name} ${(ns / 1e6).toFixed(1)} ms`) : [];
  find("race").replaceChildren(...parts.map((text) => element("span", "", text)));
}

link(
  (news) => {
    if ("game" in news) game = news.game;
    if ("evidence" in news) evidence = news.evidence;
    if ("count" in news) count = news.count;
    if ("me" in news) {
      drawTag(news.me);
      missing = news.me.missing;
    }
    draw();
  },
  () => {
    find("status").textContent = "";
    show("join");
  },
).again();
translatePage();
