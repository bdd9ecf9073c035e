// A phone at the table: shows the game and what its seats are asked, and sends their answers.

import { _, translatePage } from "./words.js";
import { drawPhoto, drawQuestion, drawScores, drawTag, element, ending, fill, find, link, nameOf, namesOf, show, stillAsked } from "./common.js";
import * as joining from "./joining.js";
import * as questions from "./questions.js";

const TOLD_MS = 10000;

let game = null;
let me = null;
let evidence = null;
let count = null;
let wasAsked = false;

const kit = link(receive, askCode);

function askCode() {
  me = null;
  tell("");
  drawWish();
  joining.askCode();
}

function receive(news) {
  if ("game" in news) game = news.game;
  if ("evidence" in news) evidence = news.evidence;
  if ("count" in news) count = news.count;
  if ("me" in news) me = news.me;
  if ("refused" in news) joining.named(news.refused);
  if ("told" in news) tell(news.told);
  if ("ack" in news) questions.acknowledged(news.ack);
  if (me) draw();
  questions.sendAgain();
}

function draw() {
  drawTag(me);
  drawWish();
  if (joining.drawJoining(me)) drawGame();
}

// --- what the kit has to say to a wish of this phone ---

function drawWish() {
  const wish = me ? me.wish : "";
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

// --- the game ---

function drawGame() {
  show("game");
  find("title").textContent = game ? game.title : "Lucky Paw";
  const open = questions.drawQuestions(me, game);
  const press = game && game.pressing.some((seat) => me.seats.includes(seat)) ? game.on_kit : "";
  const waiting = open.length || press || !game || game.over ? [] : waitingFor();
  const idle = waiting.length > 0 && me.seats.length > 0 && me.asks.every((ask) => ask.aside); // then the question is for others
  for (const id of ["where", "face"]) find(id).hidden = !game;
  if (game) drawQuestion(game, count, ...(idle ? waiting : [ending(game) || press || game.asked]));
  else fill(find("asked"), _("No game is on the table."));
  fill(find("waiting"), ...(game ? (idle ? [] : waiting) : [_("Somebody chooses one on the kit.")]));
  find("game").classList.toggle("here", Boolean(press));
  document.body.classList.toggle("asked", open.length > 0);
  if (open.length && !wasAsked && navigator.vibrate) navigator.vibrate(60);
  wasAsked = open.length > 0;
  drawScores(game, me.seats, game ? stillAsked(game, me.missing) : []);
  find("back").hidden = !game || (me.role !== "table" && !me.seats.length);
  find("back").textContent = me.own ? _("Undo my answer") : _("Undo: OK on the kit");
  drawFixes();
  drawPhoto(evidence);
}

// Who is asked, while this phone has nothing to do.
function waitingFor() {
  const others = stillAsked(game, me.missing).filter((seat) => !me.seats.includes(seat) || (me.missing || []).length);
  if (others.length) return [_("Waiting for"), " ", ...namesOf(game, others)];
  return game.turn.length || game.on_kit || !game.asked ? [] : [_("This is answered on the kit.")];
}

find("back").addEventListener("click", () => kit.send({ undo: true }));

// Points by hand, for one seat at a time; the kit is asked whether that may be.
let fixing = { seat: 0, points: 0 };

function drawFixes() {
  find("more").hidden = !game || me.role !== "table";
  if (find("more").hidden) return;
  fill(find("fixes"), ...game.names.map((name, seat) => fixesOf(name, seat)));
  find("fix").disabled = fixing.points === 0;
  find("end").hidden = game.over;
}

function fixesOf(name, seat) {
  const points = fixing.seat === seat ? fixing.points : 0;
  const row = element("p", "fix");
  const key = (sign, by, label) => {
    const made = element("button", "", sign);
    made.setAttribute("aria-label", label);
    made.onclick = () => {
      fixing = { seat, points: points + by };
      drawFixes();
    };
    return made;
  };
  const fewer = key("−", -1, _("{name}: one point less", { name }));
  const more = key("+", 1, _("{name}: one point more", { name }));
  row.append(nameOf(game, seat), fewer, element("b", "", points > 0 ? `+${points}` : points), more);
  return row;
}

find("fix").addEventListener("click", () => {
  kit.send({ fix: [fixing.seat, fixing.points] });
  fixing = { seat: 0, points: 0 };
  drawFixes();
});

find("end").addEventListener("click", () => kit.send({ end: true }));

joining.begin(kit, receive, () => me && draw());
questions.begin(kit, draw);
translatePage();
if (joining.atCode()) askCode();
else kit.again();
