// A board for everybody: round, question, ranked scores, who is asked, races as they happen. It has no control.

import { _, translatePage } from "./words.js";
import { byOk, drawPhoto, drawQuestion, drawScores, drawTag, element, fill, find, link, namesOf, show, stillAsked } from "./common.js";

let game = null;
let evidence = null;
let count = null;
let me = { missing: null, table: "", code: false };

function draw() {
  show("game");
  find("title").textContent = game ? game.title : "Lucky Paw";
  for (const id of ["where", "face", "turn", "order", "race"]) find(id).hidden = !game;
  if (game) {
    drawQuestion(game, count, game.said, game.asked || game.on_kit);
    const asked = stillAsked(game, me.missing);
    fill(find("turn"), ...(asked.length ? [(game.asked && game.on_kit) || _("asked:"), ...namesOf(game, asked)] : [byOk(game, me.table)]));
    fill(find("order"), ...(game.order.length ? [_("in the order of play:"), ...namesOf(game, game.order)] : []));
    drawRace(game.race);
  } else {
    fill(find("asked"), _("No game is on the table."));
  }
  drawScores(game, [], []);
  drawPhoto(evidence);
  find("hint").textContent = me.code
    ? _("The code is on the kit's display.")
    : _("“Phones” in the kit's menu shows the code.");
}

function drawRace(race) {
  const running = race && (race.phase === "armed" || race.phase === "running");
  const parts = running ? race.gaps.map(([name, ns], n) => `${n + 1}. ${name} ${(ns / 1e6).toFixed(1)} ms`) : [];
  fill(find("race"), ...parts.map((text) => element("span", "", text)));
}

link(
  (news) => {
    if ("game" in news) game = news.game;
    if ("evidence" in news) evidence = news.evidence;
    if ("count" in news) count = news.count;
    if ("me" in news) {
      me = news.me;
      drawTag(me);
    }
    draw();
  },
  () => {
    find("status").textContent = "";
    show("join");
  },
).again();
translatePage();
