// A board for everybody: round, question, ranked scores, who is asked, races as they happen. It has no control.

import { _, translatePage } from "./words.js";
import { byOk, drawClocks, drawKnown, drawPhoto, drawQuestion, drawScores, drawTag, element, fill, find, hearClocks, knowNames, link, namesOf, saidOf, show, stillAsked, withoutGame } from "./common.js";
import { drawRounds, rowsOf } from "./rounds.js";

let game = null;
let evidence = null;
let count = null;
const heard = {}; // the newest of each kind
const MOST_ROWS = 40;
const SMALL_VW = 1.2; // of its letters: rather fewer rounds than smaller ones
let me = { missing: null, table: "", code: false };

function draw() {
  show("game");
  find("title").textContent = game ? game.title : "Lucky Paw";
  for (const id of ["where", "face", "turn", "order", "race"]) find(id).hidden = !game;
  if (game) {
    drawQuestion(game, count, saidOf(game, me), game.asked || game.on_kit);
    const asked = stillAsked(game, me.missing);
    fill(find("turn"), ...(asked.length ? [(game.asked && game.on_kit) || _("asked:"), ...namesOf(game, asked)] : [byOk(game, me, heard.covered)]));
    fill(find("order"), ...(game.order.length ? [_("in the order of play:"), ...namesOf(game, game.order)] : []));
    drawRace(game.race);
  } else {
    fill(find("asked"), withoutGame(heard.invites));
  }
  drawClocks(game);
  drawKnown(game);
  drawScores(game, [], []);
  drawTable();
  drawPhoto(evidence);
  find("hint").textContent = me.code
    ? _("The code is on the kit's display.")
    : _("“Phones” in the kit's menu shows the code.");
}

// The latest rounds, as many as there is room for.
function drawTable() {
  const table = find("rounds");
  const some = heard.rounds && heard.rounds.many > 0;
  table.hidden = !some;
  document.body.classList.toggle("with-rounds", Boolean(some));
  if (!some) return;
  const rows = rowsOf(heard);
  let from = Math.max(0, rows.length - MOST_ROWS);
  const draw = () => drawRounds(table, { rounds: heard.rounds, "rows 0": rows.slice(from) });
  draw();
  if (innerWidth <= 700) return; // it scrolls
  const wide = innerWidth * 0.65;
  const high = innerHeight * (evidence ? 0.45 : 0.88);
  for (let size = 2.2; size > 0.6; size -= 0.1) {
    table.style.fontSize = `${size}vw`;
    if (table.scrollWidth <= wide && (table.offsetHeight <= high || size < SMALL_VW)) break;
  }
  while (table.offsetHeight > high && from < rows.length - 1) {
    from++;
    draw();
  }
}

addEventListener("resize", drawTable);

function drawRace(race) {
  const running = race && (race.phase === "armed" || race.phase === "running");
  const parts = running ? race.gaps.map(([name, ns], n) => `${n + 1}. ${name} ${(ns / 1e6).toFixed(1)} ms`) : [];
  fill(find("race"), ...parts.map((text) => element("span", "", text)));
}

link(
  (news) => {
    knowNames(news);
    if ("game" in news) game = news.game;
    if ("clocks" in news) hearClocks(news.clocks);
    Object.assign(heard, news);
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
