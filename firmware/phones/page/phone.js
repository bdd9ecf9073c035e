// A phone at the table: shows the game and what its seats are asked, and sends their answers.

import { _, translatePage } from "./words.js";
import { byOk, drawClocks, drawKnown, drawPhoto, drawQuestion, drawScores, drawTag, element, fill, find, hearClocks, knowNames, link, nameOf, namesOf, saidOf, show, stillAsked, wish, withoutGame, write } from "./common.js";
import * as joining from "./joining.js";
import * as questions from "./questions.js";

const TOLD_MS = 10000;

let game = null;
let me = null;
let evidence = null;
let count = null;
const heard = {}; // the newest of each kind
let toAnswer = []; // the questions that this phone is asked, and what its player is to press

const kit = link(receive, askCode);

function askCode(reason) {
  me = null;
  tell("");
  drawWish();
  joining.askCode(reason);
}

function receive(news) {
  knowNames(news);
  if ("game" in news) game = news.game;
  if ("evidence" in news) evidence = news.evidence;
  if ("count" in news) count = news.count;
  if ("clocks" in news) hearClocks(news.clocks);
  Object.assign(heard, news);
  if ("tried" in news) questions.hear(news.tried);
  if ("entered" in news) drawForm(news.entered);
  if ("me" in news) me = news.me;
  if ("refused" in news) joining.taken(news.refused, news.agreed);
  if ("told" in news) tell(news.told);
  if ("ack" in news) questions.acknowledged(news.ack);
  if (me) draw();
  questions.sendAgain();
}

function draw() {
  drawTag(me);
  drawWish();
  if (joining.drawJoining(me, game)) drawGame();
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
  write("told", text);
  if (text) telling = setTimeout(() => tell(""), TOLD_MS);
}

// --- the game ---

function drawGame() {
  show("game");
  find("title").textContent = game ? game.title : "Lucky Paw";
  const open = questions.openOf(me);
  const early = open.length > 0 && open.every((ask) => ask.early); // its seats will be asked later
  const own = open.find((ask) => me.seats.includes(ask.seat));
  const press = game && game.pressing.some((seat) => me.seats.includes(seat)) ? game.on_kit : "";
  const others = waitingFor(open);
  const idle = me.seats.length > 0 && others.length > 0 && !press && me.asks.every((ask) => ask.aside);
  for (const id of ["where", "face"]) find(id).hidden = !game;
  if (!game) fill(find("asked"), withoutGame(heard.invites));
  else if (idle) drawQuestion({ where: game.where.slice(0, 1) }, count, [], ...others); // all else is for the others
  else if (early) drawQuestion({ where: [] }, count, open[0].said, open[0].text);
  else if (press) drawQuestion(game, count, [game.asked, ...game.said], press);
  else drawQuestion(game, count, saidOf(game, me), game.asked || game.on_kit || (own ? own.text : ""));
  drawClocks(game);
  drawKnown(game);
  questions.drawQuestions(me, game, early ? open[0].text : game && game.asked);
  fill(find("waiting"), ...below(open, idle ? [] : others));
  find("game").classList.toggle("here", Boolean(press));
  document.body.classList.toggle("asked", open.length > 0);
  if (open.length && !toAnswer.length && navigator.vibrate) navigator.vibrate(60);
  const now = open.map((ask) => ask.id).concat(press || []);
  if (now.some((one) => !toAnswer.includes(one)) && !find("more").open) scrollTo(0, 0); // a new question is seen
  toAnswer = now;
  drawScores(game, me.seats, game ? stillAsked(game, me.missing) : []);
  find("back").hidden = !game || (me.role !== "table" && !me.seats.length);
  find("back").textContent = me.own ? _("Undo my answer") : _("Undo: OK on the kit");
  find("forth").hidden = find("back").hidden || !me.redo;
  find("wide").hidden = me.role !== "watch";
  drawHistory();
  drawFixes();
  drawPhoto(evidence);
}

// Whose answer is missing, but for those that this phone can give. `open`: what it is asked.
function waitingFor(open) {
  if (!game || open.some((ask) => ask.alone === "any")) return []; // for whoever has something to enter
  const here = open.map((ask) => ask.seat);
  const others = stillAsked(game, me.missing).filter((seat) => !here.includes(seat) && !pressesHere(seat));
  return others.length ? [_("Waiting for"), ...namesOf(game, others)] : [];
}

function pressesHere(seat) {
  return game.pressing.includes(seat) && me.seats.includes(seat);
}

// What stands below the question.
function below(open, others) {
  if (!game) return heard.invites ? [] : [_("Somebody chooses one on the kit, then all who play press their buttons.")];
  if (me.closes) return me.asks.some((ask) => ask.seat === null && ask.verb === "ok") ? [] : [byOk(game, me, heard.covered)];
  return others.length || open.length ? others : [byOk(game, me, heard.covered)];
}

// How the game stands is sent with a wish, so that nobody undoes what they have not seen.
function ofStand(what) {
  wish(kit, { do: what, game: me.opened.game, was: [me.opened.mark] });
}

find("back").addEventListener("click", () => ofStand("undo"));
find("forth").addEventListener("click", () => ofStand("redo"));

// The pages beside the kit, while this phone may open them.
function drawHistory() {
  find("history").hidden = !me.history;
  find("history").querySelector("span").textContent = me.history;
  find("open").hidden = me.role !== "table" || Boolean(me.history);
}

find("open").addEventListener("click", () => wish(kit, { do: "history" }));

// Points by hand, for one seat at a time; the kit is asked whether that may be.
let fixing = { seat: 0, points: 0 };
let entering = null; // the game of which a round is put right

function drawFixes() {
  find("more").hidden = !game || me.role !== "table";
  if (find("more").hidden) return;
  fill(find("fixes"), ...game.names.map((name, seat) => fixesOf(name, seat)));
  find("fix").disabled = fixing.points === 0;
  find("end").hidden = game.over;
  find("rounds").hidden = !heard.rounds;
  if (!heard.rounds || entering !== me.opened.game) drawForm(null); // another game
  if (!heard.rounds) return;
  withRounds(({ drawRounds }) => heard.rounds && drawRounds(find("rounds"), heard, (round) => kit.send({ round })));
}

// Only the phone that answers for the table loads what puts rounds right.
function withRounds(then) {
  import("./rounds.js").then(then, () => {});
}

// What was entered in a round, to be put right: the kit is asked whether that may be.
function drawForm(entered) {
  const close = () => drawForm(null);
  const send = (numbers, was) => {
    wish(kit, { do: "amend", game: entered.game, round: entered.round, numbers, was });
    close();
  };
  entering = entered ? entered.game : null;
  find("amend").textContent = "";
  if (entered) withRounds(({ formOf }) => fill(find("amend"), formOf(entered, send, close)));
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
  const { seat, points } = fixing;
  const now = game.scores.find(([one]) => one === seat)[1];
  wish(kit, { do: "fix", game: me.opened.game, seat, points, was: [now] });
  fixing = { seat: 0, points: 0 };
  drawFixes();
});

find("end").addEventListener("click", () => ofStand("end"));

joining.begin(kit, receive, () => me && draw());
questions.begin(kit, draw);
translatePage();
if (joining.atCode()) askCode();
else kit.again();
