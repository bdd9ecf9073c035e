// The page of the score sheets: all of them, and one that is written, tried and kept. The server knows the format.

import { SheetForm, element } from "./sheet_form.js";
import { Trial } from "./sheet_trial.js";
import { ask as requested } from "./silence.js";
import { _, translatePage } from "./words.js";

const PAUSE_MS = 400; // in typing
const AGAIN_MS = 1000; // after a request that got no answer
const TRIES = 3;
const NEW = `title = "My game"
players = [2, 6]
ask = [
  { id = "score", title = "Score" },
]
`;

const find = (id) => document.getElementById(id);
const toml = find("toml");
const many = find("many");

let shelf = []; // all sheets
let origin = null; // the own sheet that is changed, by its name; null: a new one
let kept = ""; // the text as it is on the disk, or as it was begun
let pending = new Set(); // keys of the document that the form has changed since the file was told
let timer = 0;
let edits = 0; // of the file by hand
let byHand = false; // the form has not followed them yet
let reading = false; // the server is reading it
let stale = false; // and has to again
let proposed = true; // the name follows the title
let trying = "";

// --- the server ---

let broken = false; // the last request failed
let silent = false; // because nobody answered: another one may not

async function ask(request) {
  for (let tries = 1; ; tries++) {
    try {
      const answer = await requested("/sheets", { method: "POST", body: JSON.stringify(request) });
      if (answer.ok) {
        if (broken) say("");
        broken = silent = false;
        return await answer.json();
      }
      const long = answer.status === 413 || answer.status === 400; // the page asks nothing else that does not fit
      const busy = answer.status === 503;
      const why = long ? _("The file is too long.") : (await answer.text()) || _("Lucky Paw does not answer.");
      if (!busy) return failed(why, false);
      failed(why, true); // and asks again by itself, as long as the kit is busy
    } catch {
      failed(_("Lucky Paw does not answer."), true);
      if (tries === TRIES) return null;
    }
    await new Promise((go) => setTimeout(go, AGAIN_MS));
  }
}

function failed(why, unanswered) {
  broken = true;
  silent = unanswered;
  say(why);
  return null;
}

function say(text) {
  find("said").textContent = text;
}

// --- the list ---

async function list() {
  const told = await ask({ do: "list" });
  if (told === null) return;
  shelf = told.sheets;
  form.taken = new Set(told.taken);
  const own = shelf.filter((sheet) => sheet.place !== "kit");
  const ours = shelf.filter((sheet) => sheet.place === "kit");
  find("rows").replaceChildren(
    ...(own.length ? [element("h2", {}, _("Your own")), rows(own)] : []),
    element("h2", {}, _("Of the kit")),
    rows(ours),
  );
}

function rows(sheets) {
  return element("ul", { class: "sheets" }, ...sheets.map(row));
}

function row(sheet) {
  const { title, file, name } = sheet;
  const facts = [file, sheet.from, ...(sheet.hides.length ? [_("hides {files}", { files: sheet.hides.join(", ") })] : [])];
  const wrong = sheet.errors.map(({ line, key, text }) => _("Line {line}, {key}: {text}", { line, key, text }));
  if (sheet.wrong) wrong.push(sheet.wrong);
  const text = element("details", {}, element("summary", { "aria-label": _("Look at {title}", { title }) }, _("Look at")));
  text.addEventListener("toggle", async () => {
    const told = text.open && (await ask({ do: "open", name }));
    if (told) text.append(element("pre", { tabindex: "0" }, told.text ?? told.refused));
    else text.querySelector("pre")?.remove();
  });
  const button = (label, does, called = `${label} ${title}`) => {
    const made = element("button", { "aria-label": called }, label);
    made.addEventListener("click", does);
    return made;
  };
  return element(
    "li",
    { "data-name": name },
    element("h3", {}, title),
    element("p", { class: "facts" }, facts.join(" · ")),
    ...wrong.map((one) => element("p", { class: "error" }, one)),
    element(
      "div",
      { class: "row" },
      ...(sheet.own ? [button(_("Change"), () => open(sheet, true)), button(_("Remove"), () => remove(sheet))] : []),
      button(_("Make your own"), () => open(sheet, false), _("Make your own of {title}", { title })),
      element("a", { href: `/sheets/${encodeURIComponent(name)}.toml`, download: `${name}.toml` }, _("Copy {file}", { file: `${name}.toml` })),
    ),
    text,
  );
}

async function remove({ name, title }) {
  const question = _("Remove {title}? Games that were played keep its text.", { title });
  if (!confirm(question)) return;
  const told = await ask({ do: "remove", name });
  if (told === null) return;
  say(told.refused ?? _("{title} is removed.", { title }));
  await list();
}

async function open(sheet, own) {
  const told = await ask({ do: "open", name: sheet.name });
  if (told === null) return;
  if (told.refused) say(told.refused);
  else await write(told.text, own ? sheet.name : null, sheet.title);
}

// --- writing one ---

const form = new SheetForm(find("fields"), (key) => {
  pending.add(key);
  later();
});

async function write(text, name, title = null) {
  say("");
  origin = name;
  proposed = name === null;
  kept = text;
  form.document = {};
  find("fields").replaceChildren(); // of the game before
  find("named").textContent = title === null ? _("A new game") : name === null ? _("A game made of {title}", { title }) : title;
  find("name").value = name ?? "";
  find("shelf").hidden = true;
  find("writing").hidden = false;
  toml.value = text;
  pending.clear();
  byHand = true;
  edits++;
  trial.end();
  await read();
  scrollTo(0, 0);
  find("fields").querySelector("input")?.focus();
}

function later(ms = PAUSE_MS) {
  clearTimeout(timer);
  timer = setTimeout(read, ms);
}

// Tells the server what was changed, and shows what it makes of it.
async function read() {
  clearTimeout(timer);
  if (reading) {
    stale = true;
    return;
  }
  reading = true;
  const [edit, keys, hand] = [edits, pending, byHand];
  pending = new Set();
  const changes = Object.fromEntries([...keys].map((key) => [key, form.document[key] ?? null]));
  const told = await ask({ do: "read", text: toml.value, changes });
  reading = false;
  if (told !== null && edit === edits) show(told, hand);
  else for (const key of keys) pending.add(key); // not read, or changed by hand meanwhile: once more
  if (told === null && silent && !find("writing").hidden) later(AGAIN_MS); // it is read once the kit answers
  if (stale || (told !== null && edit !== edits)) {
    stale = false;
    await read();
  }
}

function show({ text, document: data, errors, remarks, players }, hand) {
  if (toml.value !== text) toml.value = text;
  find("fields").disabled = data === null;
  find("unread").hidden = data !== null;
  if (data === null) {
    find("unread").textContent = _("The form waits: the file cannot be read. Mend it in line {line} first.", errors[0]);
  } else if (hand && pending.size === 0) {
    byHand = false;
    form.fill(data);
  }
  form.showErrors(data === null ? [] : errors, remarks);
  showWrong(errors, remarks);
  showOlder();
  showPlayers(players);
  find("start").disabled = players === null;
  if (data !== null && proposed) propose(String(data.title ?? ""));
}

function byLine({ line, key, text }) {
  const button = element("button", { type: "button" }, _("Line {line}", { line }));
  button.addEventListener("click", () => select(line));
  return element("li", {}, button, ` ${key}: ${text}`);
}

function showWrong(errors, remarks) {
  find("wrong").replaceChildren(
    errors.length ? element("ul", { class: "error" }, ...errors.map(byLine)) : element("p", {}, _("Nothing is wrong in it.")),
    ...(remarks.length ? [element("ul", { class: "remark" }, ...remarks.map(byLine))] : []),
  );
  toml.setAttribute("aria-invalid", String(errors.length > 0));
  number(new Set(errors.map((one) => one.line)));
}

let wrongLines = new Set();

function number(wrong = wrongLines) {
  wrongLines = wrong;
  const count = toml.value.split("\n").length;
  const made = Array.from({ length: count }, (_one, n) =>
    wrong.has(n + 1) ? element("mark", {}, `▸${n + 1}\n`) : `${n + 1}\n`,
  );
  find("lines").replaceChildren(...made);
  find("lines").scrollTop = toml.scrollTop;
}

function select(line) {
  const before = toml.value.split("\n").slice(0, line - 1);
  const start = before.reduce((sum, one) => sum + one.length + 1, 0);
  const length = (toml.value.split("\n")[line - 1] ?? "").length;
  toml.focus();
  toml.setSelectionRange(start, start + length);
  toml.scrollTop = (line - 4) * Number.parseFloat(getComputedStyle(toml).lineHeight);
}

toml.addEventListener("input", () => {
  edits++;
  byHand = true;
  number(new Set());
  later();
});

toml.addEventListener("scroll", () => {
  find("lines").scrollTop = toml.scrollTop;
});

find("form").addEventListener("submit", (event) => event.preventDefault());

// --- trying it ---

let trial = null;
trial = new Trial(find("trial"), ask, (going, moves, over = false) => {
  showOlder();
  find("random").hidden = !going;
  find("random").disabled = over;
  find("undo").hidden = !going;
  find("undo").disabled = moves === 0;
  find("start").textContent = going ? _("Begin again") : _("Begin");
});

function showOlder() {
  const older = trial?.game && trial.game.text !== toml.value;
  find("older").textContent = older ? _("The file has changed since this game began: begin again to try it as it is now.") : "";
}

function showPlayers(players) {
  if (players === null || String(players) === trying) return;
  trying = String(players);
  const [fewest, most] = players;
  const numbers = Array.from({ length: most - fewest + 1 }, (_one, n) => fewest + n);
  const chosen = Number(many.value);
  many.replaceChildren(...numbers.map((n) => element("option", { value: n }, String(n))));
  many.value = numbers.includes(chosen) ? chosen : numbers[Math.min(1, numbers.length - 1)];
}

find("start").addEventListener("click", async () => {
  if (await settled()) trial.begin(toml.value, Number(many.value));
});
find("random").addEventListener("click", () => trial.random());
find("undo").addEventListener("click", () => trial.undo());

// Whether what was entered last is in the file; it is not where the server does not read it, as the page then says.
async function settled() {
  if (pending.size) await read();
  while (reading) await new Promise((go) => setTimeout(go, 50));
  return pending.size === 0;
}

// --- keeping it ---

let naming = 0;

async function propose(title) {
  await lookAtName({ name: "", title });
}

async function lookAtName(of) {
  const which = ++naming;
  const told = await ask({ do: "name", ...of });
  if (told === null || which !== naming) return;
  if (proposed) find("name").value = told.name;
  const taken = told.there && told.name !== origin;
  const says = [told.wrong, taken ? _("You have a file of that name: it would be replaced.") : "", told.says];
  find("hides").textContent = says.filter(Boolean).join(" ");
  find("hides").classList.toggle("error", told.wrong !== "");
  find("save").disabled = told.wrong !== "";
}

find("name").addEventListener("input", () => {
  proposed = false;
  lookAtName({ name: find("name").value.trim() || "?", title: "" });
});

find("keep").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!(await settled())) return;
  const name = find("name").value.trim();
  const request = { do: "save", name, text: toml.value, over: name === origin };
  let told = await ask(request);
  if (told?.there && confirm(_("Replace {file}?", { file: `${name}.toml` }))) told = await ask({ ...request, over: true });
  if (told === null || told.there) return;
  if (told.refused) {
    find("hides").textContent = told.refused;
    find("hides").classList.add("error");
    return;
  }
  kept = toml.value;
  const wrong = wrongLines.size ? ` ${_("It has errors, and cannot be played yet.")}` : "";
  await leave();
  say(_("{file} is kept. The kit has it in its list of all games.", { file: `${name}.toml` }) + wrong);
});

find("copy").addEventListener("click", async () => {
  if (!(await settled())) return;
  const address = URL.createObjectURL(new Blob([toml.value], { type: "application/toml" }));
  element("a", { href: address, download: `${find("name").value.trim() || "game"}.toml` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
});

async function leave() {
  trial.end();
  find("writing").hidden = true;
  find("shelf").hidden = false;
  await list();
  scrollTo(0, 0);
}

find("new").addEventListener("click", () => write(NEW, null));
find("back").addEventListener("click", () => {
  if (unkept() && !confirm(_("Go back without keeping what you have written?"))) return;
  say("");
  leave();
});

const unkept = () => !find("writing").hidden && (toml.value !== kept || pending.size > 0);

addEventListener("beforeunload", (event) => {
  if (unkept()) event.preventDefault();
});

translatePage();
const [format] = await Promise.all([fetch("/sheets/format.json").then((answer) => answer.json()), list()]);
form.describe(format, form.taken);
