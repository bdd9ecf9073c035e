// The form of a score sheet: fields for what a sheet says, each with a label, a line of help and its errors.
// It knows a document (the file as data) and changes only what is entered: what it does not know stays as it is.

import { _ } from "./words.js";

const KINDS = () => [
  ["number", _("a number")],
  ["yes", _("yes or no")],
  ["words", _("one of several words")],
  ["seat", _("one of the players")],
];
const PER = () => [
  ["", _("everybody at once")],
  ["turn", _("one player after the other")],
  ["table", _("the table, once for all")],
  ["team", _("one of each team")],
  ["any", _("whoever presses")],
  ["race", _("who is first in the race")],
  ["box", _("a turn fills one box that is empty")],
];
const SHARED = ["turn", "any", "box", "race"]; // all questions of a round are answered so, or none
const FIRST = () => [
  ["", _("always the same player")],
  ["rotates", _("the next player each time")],
  ["highest", _("who has most points")],
  ["lowest", _("who has fewest points")],
];
const LAST = () => [
  ["", _("nobody: it ends at once")],
  ["round", _("all who have had fewer turns")],
  ["lap", _("everybody else, once")],
];
const RACES = () => [
  ["", _("no race")],
  ["first", _("who presses first")],
  ["last", _("who presses last")],
  ["order", _("in which order they press")],
  ["signal", _("who is quickest after a signal")],
];
const JUMPS = () => [
  ["", _("no place for that player")],
  ["again", _("a new signal for all")],
];
const CLOCKS = () => [
  ["", _("no clock")],
  ["turn", _("for each turn")],
  ["chess", _("for all turns of a player")],
  ["sand", _("one glass for everybody")],
];

let made = 0; // ids

export function element(tag, attributes = {}, ...inside) {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) one.setAttribute(name, "");
    else if (value !== false && value !== undefined) one.setAttribute(name, value);
  }
  one.append(...inside);
  return one;
}

export class SheetForm {
  // `place`: where it stands; `changed`: called with the key of the document that has been changed
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    this.document = {};
    this.errors = [];
    this.remarks = [];
    this.help = {};
    this.taken = new Set();
    this.called = element("small");
    this.opened = new Set(); // folds that somebody has opened, by name
  }

  // The JSON schema of the format has a line of help for each key.
  describe(schema, taken) {
    for (const [of, { properties }] of Object.entries(schema.$defs)) {
      for (const [key, about] of Object.entries(properties)) {
        const part = about.anyOf?.find((one) => one.description || one.$ref) ?? about;
        const other = part.$ref && schema.$defs[part.$ref.split("/").at(-1)];
        this.help[`${of}.${key}`] = about.description ?? part.description ?? other?.description ?? "";
      }
    }
    this.taken = new Set(taken);
  }

  fill(document) {
    this.document = document;
    this.draw();
  }

  draw() {
    const first = this.basics();
    const more = [
      this.fold("rounds", _("More about rounds and the end"), [
        this.redrawn(this.text("Sheet", ["end"], _("It ends when"))),
        this.choice("Sheet", ["last"], _("Who still has a turn"), LAST(), {
          shown: (this.answered("turn", "box") && this.has("end")) || this.has("last"),
        }),
        this.text("Sheet", ["out"], _("A player is out when")),
        this.choice("Sheet", ["first"], _("Who starts a round"), FIRST()),
        this.redrawn(this.text("Sheet", ["teams"], _("Teams"))),
      ]),
      this.fold("checks", _("Rules for the answers"), [this.checks()]),
      this.fold("points", _("More about points"), [
        this.text("Sheet", ["start"], _("Points at the beginning")),
        this.text("Sheet", ["total"], _("New total")),
        this.names("keep", _("Running numbers"), _("Add a running number")),
        this.names("let", _("Parts of the sum"), _("Add a part of the sum")),
        this.steps(),
      ]),
      this.fold("final", _("Questions at the end of the game"), [this.asks("final", "Final")]),
      this.fold("win", _("More about winning"), [
        this.lines("Sheet", ["win"], _("What wins, a line each")),
        this.text("Sheet", ["together"], _("All win together when")),
      ]),
      this.fold("race", _("A race, or a clock"), [...this.race(), ...this.clock()]),
      this.fold("about", _("Where the rules are"), [
        this.text("Sheet", ["source"], _("Address of the rules"), { words: true }),
        this.text("Sheet", ["bgg"], _("Number at BoardGameGeek")),
      ]),
    ];
    this.place.replaceChildren(...first, ...more);
    this.showCalled();
    this.showErrors(this.errors, this.remarks);
  }

  basics() {
    return [
      this.text("Sheet", ["title"], _("Title"), { words: true }),
      this.players(),
      this.text("Sheet", ["rounds"], _("Rounds"), { shown: !this.answered("any", "box") || this.has("rounds") }),
      this.asks("ask", "Ask"),
      this.text("Sheet", ["points"], _("Points of a round"), { extra: [this.called] }),
      this.expressions(),
      this.winner(),
    ];
  }

  expressions() {
    const rows = [
      ["10 * tricks + 5", _("times, plus; also - and //, divided and rounded down")],
      ["20 if tricks == bid else 0", _("20 where both are the same, else nothing")],
      ["== != < > <= >=", _("is, is not, less, more, at most, at least; with and, or, not between several")],
      ["round, players, total", _("the number of the round, how many play, the points so far")],
      ["sum(tricks), most(tricks), place(tricks)", _("of all players: added up, the highest, who has how many more: 1 is the best")],
      ["min(a, b), max(a, b), abs(a)", _("the smaller, the larger, without its sign")],
    ];
    const list = rows.flatMap(([code, says]) => [element("dt", {}, element("code", {}, code)), element("dd", {}, says)]);
    return this.fold("expressions", _("What an expression can say"), [element("dl", {}, ...list)]);
  }

  // What questions are called in expressions.
  showCalled() {
    const asks = this.at(["ask"]);
    const names = Array.isArray(asks) ? asks.filter((ask) => ask?.id).map(({ id, title }) => [title || id, id]) : [];
    const all = names.map(([title, id]) => _("{title} is {id}", { title, id })).join(", ");
    this.called.textContent = all && _("In an expression: {all}.", { all });
  }

  // --- values of the document ---

  at(path) {
    return path.reduce((value, step) => value?.[step], this.document);
  }

  has(key) {
    return this.document[key] !== undefined;
  }

  // The questions of a round; none where the file says something else there.
  questions() {
    const asks = this.at(["ask"]);
    return Array.isArray(asks) && asks.every((ask) => ask && typeof ask === "object") ? asks : [];
  }

  // Whether any question of a round is answered so.
  answered(...ways) {
    return this.questions().some((ask) => ways.includes(ask.per));
  }

  // Undefined takes the key away.
  put(path, value) {
    let owner = this.document;
    for (const step of path.slice(0, -1)) owner = owner[step] ??= {};
    const key = path.at(-1);
    if (value === undefined) {
      if (Array.isArray(owner)) owner.splice(key, 1);
      else delete owner[key];
    } else owner[key] = value;
    const top = this.document[path[0]];
    const empty = top && typeof top === "object" && Object.keys(top).length === 0;
    if (empty) delete this.document[path[0]];
    this.showCalled();
    this.changed(path[0]);
  }

  // --- fields ---

  field(of, path, label, control, { shown = true, help = path.at(-1), extra = [] } = {}) {
    const id = `field-${++made}`;
    control.id = id;
    const said = this.help[`${of}.${help}`] ?? "";
    control.setAttribute("aria-describedby", `${id}-help ${id}-error`);
    const field = element(
      "div",
      { class: "field", "data-key": keyOf(path), hidden: !shown },
      element("label", { for: id }, label),
      control,
      ...extra,
      element("small", { id: `${id}-help` }, said),
      element("p", { class: "error", id: `${id}-error`, hidden: true }),
    );
    return field;
  }

  // A value that the form cannot show stays as it is.
  unknown(control, value) {
    if (value === null || typeof value !== "object") return false;
    control.value = JSON.stringify(value);
    control.disabled = true;
    return true;
  }

  // A text, an expression or a number. `words`: digits are a text, too.
  text(of, path, label, { words = false, ...more } = {}) {
    const input = element("input", { autocapitalize: "off", spellcheck: String(words) });
    const value = this.at(path);
    if (!this.unknown(input, value)) input.value = value ?? "";
    input.addEventListener("input", () => this.put(path, words ? input.value || undefined : plain(input.value)));
    return this.field(of, path, label, input, more);
  }

  lines(of, path, label, more = {}) {
    const area = element("textarea", { rows: 3, spellcheck: "false" });
    const value = this.at(path);
    const listed = Array.isArray(value) && value.every((one) => typeof one !== "object");
    if (listed) area.value = value.join("\n");
    else if (!this.unknown(area, value)) area.value = value ?? "";
    area.addEventListener("input", () => {
      const given = area.value.split("\n").map((line) => line.trim()).filter(Boolean);
      this.put(path, given.length ? given : undefined);
    });
    return this.field(of, path, label, area, more);
  }

  // What the document says and the list does not have becomes one more option.
  select(options, value, chosen) {
    const select = element("select");
    const known = options.some(([one]) => one === (value ?? ""));
    const all = known ? options : [...options, [value ?? "", String(value ?? "–")]];
    for (const [one, text] of all) select.append(element("option", { value: one }, text));
    select.value = value ?? "";
    select.addEventListener("change", () => chosen(select.value));
    return select;
  }

  choice(of, path, label, options, more = {}) {
    const value = this.at(path);
    const usual = { first: "fixed", last: "now", per: "each", jump: "loses" }[path.at(-1)];
    const shown = value === usual ? "" : value;
    const select = this.select(options, shown, (chosen) => {
      this.put(path, chosen || undefined);
      more.then?.();
    });
    return this.field(of, path, label, select, more);
  }

  // What else is offered hangs on this field: it is drawn anew once somebody has entered it.
  redrawn(field) {
    field.querySelector("input").addEventListener("change", () => setTimeout(() => {
      const key = document.activeElement.closest("[data-key]")?.dataset.key;
      this.drawAndFocus(`[data-key="${key}"] :is(input, select, textarea)`);
    }));
    return field;
  }

  fold(name, title, inside) {
    const fold = element("details", { class: "fold" }, element("summary", {}, title), ...inside);
    fold.open = this.opened.has(name);
    fold.addEventListener("toggle", () => this.opened[fold.open ? "add" : "delete"](name));
    return fold;
  }

  button(text, does, label) {
    const button = element("button", { type: "button", "aria-label": label }, text);
    button.addEventListener("click", does);
    return button;
  }

  group(title, key, help, ...inside) {
    return element(
      "fieldset",
      { "data-key": key },
      element("legend", {}, title),
      element("small", {}, help),
      element("p", { class: "error", hidden: true }),
      ...inside,
    );
  }

  players() {
    const value = this.at(["players"]);
    const pair = Array.isArray(value) ? value : [];
    const inputs = [0, 1].map((n) => {
      const input = element("input", { inputmode: "numeric", class: "short" });
      input.value = pair[n] ?? "";
      input.setAttribute("aria-label", n ? _("Players, at most") : _("Players, at least"));
      return input;
    });
    for (const input of inputs) {
      input.addEventListener("input", () => this.put(["players"], inputs.map((one) => plain(one.value) ?? "")));
    }
    const [fewest, most] = inputs;
    const together = element("span", { class: "pair" }, fewest, _("to"), most);
    const field = this.group(_("Players"), "players", this.help["Sheet.players"], together);
    field.classList.add("plain");
    return field;
  }

  winner() {
    const value = this.at(["win"]);
    const win = Array.isArray(value) && value.length === 1 ? value[0] : value;
    const other = this.at(["together"]) !== undefined ? "together" : "other";
    const shown = other === "together" ? other : { undefined: "", total: "", "-total": "-total" }[win] ?? "other";
    const options = [
      ["", _("who has most points")],
      ["-total", _("who has fewest points")],
      ["together", _("all together, or nobody")],
      ["other", _("something else")],
    ];
    const select = this.select(options, shown, (chosen) => {
      if (chosen === "together") this.put(["together"], this.at(["together"]) ?? "sum(total) >= 20");
      else if (this.at(["together"]) !== undefined) this.put(["together"], undefined);
      if (chosen === "" || chosen === "-total") this.put(["win"], chosen || undefined);
      if (chosen === "other") this.put(["win"], ["total"]);
      if (chosen === "together" || chosen === "other") this.opened.add("win");
      this.draw();
    });
    return this.field("Sheet", ["win-how"], _("Who wins"), select);
  }

  // --- questions ---

  asks(key, of) {
    const asks = this.at([key]);
    const title = key === "ask" ? _("Questions of a round") : _("Questions at the end of the game");
    if (asks !== undefined && !(Array.isArray(asks) && asks.every((one) => one && typeof one === "object"))) {
      return this.group(title, key, _("These can only be changed in the file."));
    }
    const add = this.button(_("Add a question"), () => {
      const ask = { id: free("points_made", this.ids()) };
      this.named.add(ask);
      this.put([key], [...(asks ?? []), ask]);
      this.drawAndFocus(`[data-key="${keyOf([key, (asks ?? []).length, "title"])}"] input`);
    });
    const cards = (asks ?? []).map((ask, n) => this.ask(key, of, ask, n, asks.length));
    return this.group(title, key, this.help[`Sheet.${key}`], ...cards, add);
  }

  ids() {
    const all = [...(this.at(["ask"]) ?? []), ...(this.at(["final"]) ?? [])].map((one) => one.id);
    return new Set([...this.taken, ...all, ...Object.keys(this.at(["keep"]) ?? {}), ...Object.keys(this.at(["let"]) ?? {})]);
  }

  // Whether an expression names this question.
  used(key, ask) {
    const others = this.at([key]).map((one) => (one === ask ? { ...one, id: "", title: "" } : one));
    return new RegExp(`\\b${ask.id}\\b`).test(JSON.stringify({ ...this.document, [key]: others }));
  }

  drawAndFocus(selector) {
    this.draw();
    this.place.querySelector(selector)?.focus();
  }

  ask(key, of, ask, n, many) {
    const kind = ask.kind ?? (ask.words === undefined ? "number" : "words");
    const path = (name) => [key, n, name];
    const title = this.text(of, path("title"), _("Question"), { words: true });
    const short = this.text(of, path("id"), _("Short name"), { words: true });
    const name = short.querySelector("input");
    title.querySelector("input").addEventListener("input", (event) => {
      if (!this.named.has(ask) || this.used(key, ask)) return;
      const others = this.ids();
      others.delete(ask.id);
      name.value = free(slug(event.target.value) || "points_made", others);
      this.put(path("id"), name.value);
    });
    name.addEventListener("input", () => this.named.delete(ask));
    if (ask.title !== undefined && slug(String(ask.title)) === ask.id) this.named.add(ask);
    const some = KINDS().filter(([one]) => one !== "seat" || key === "final" || !this.answered(...SHARED));
    const kinds = this.select(some, kind, (chosen) => this.become(key, n, ask, chosen));
    const number = kind === "number";
    const moves = element("div", { class: "row" });
    if (n > 0) moves.append(this.button(_("Up"), () => this.move(key, n), _("Up: question {n}", { n: n + 1 })));
    moves.append(
      this.button(_("Remove"), () => {
        this.put([key, n], undefined);
        this.draw();
      }, _("Remove question {n}", { n: n + 1 })),
    );
    return element(
      "fieldset",
      { class: "card", "data-key": `${key} ${n + 1}` },
      element("legend", {}, _("Question {n}", { n: n + 1 })),
      element("p", { class: "error", hidden: true }),
      title,
      this.field(of, path("kind"), _("The answer is"), kinds),
      this.lines(of, path("words"), _("Words, a line each"), { shown: kind === "words" }),
      element(
        "div",
        { class: "two", hidden: !number },
        this.text(of, path("low"), _("From")),
        this.text(of, path("high"), _("To")),
      ),
      this.choice(of, path("per"), _("Who answers"), this.ways(key), {
        shown: kind !== "seat" || ask.per !== undefined,
        then: () => this.share(key, n),
      }),
      ...(key === "final" ? [this.text(of, path("points"), _("Points for it"))] : []),
      this.fold(`${key} ${n}`, _("More of question {n}", { n: n + 1 }), [
        short,
        this.text(of, path("step"), _("Steps"), { shown: number }),
        this.text(of, path("when"), _("Asked only when")),
      ]),
      moves,
    );
  }

  // Who can answer a question here.
  ways(key) {
    return PER().filter(([way]) => {
      if (way === "team") return this.has("teams") && (key === "final" || !this.has("race"));
      if (key === "final") return !SHARED.includes(way);
      return this.has("race") === (way === "race");
    });
  }

  // A way that questions share becomes that of all; with another way those of `gone` go.
  shareAll(way, gone = SHARED) {
    const asks = this.questions();
    for (const ask of asks) {
      if (SHARED.includes(way)) ask.per = way;
      else if (gone.includes(ask.per)) delete ask.per;
    }
    if (asks.length) this.changed("ask");
  }

  share(key, n) {
    if (key !== "ask") return;
    this.shareAll(this.at(["ask", n, "per"]));
    this.drawAndFocus(`[data-key="${keyOf(["ask", n, "per"])}"] select`);
  }

  // A kind has no keys of another.
  become(key, n, ask, kind) {
    if (kind !== "number") for (const name of ["low", "high", "step"]) delete ask[name];
    if (kind !== "words") delete ask.words;
    if (kind === "seat") delete ask.per;
    if (kind === "yes" || kind === "seat") ask.kind = kind;
    else delete ask.kind;
    if (kind === "words") ask.words ??= [_("no"), _("yes")];
    this.changed(key);
    this.drawAndFocus(`[data-key="${keyOf([key, n, "kind"])}"] select`);
  }

  move(key, n) {
    const asks = this.at([key]);
    [asks[n - 1], asks[n]] = [asks[n], asks[n - 1]];
    this.changed(key);
    this.drawAndFocus(`[data-key="${keyOf([key, n - 1, "title"])}"] input`);
  }

  // --- what is said in lists of names ---

  checks() {
    const value = this.at(["check"]);
    const list = value === undefined ? [] : Array.isArray(value) ? value : [value];
    const rows = list.map((one) => (one && typeof one === "object" ? { ...one } : { that: one }));
    const keep = () => {
      const simple = rows.map((one) => (Object.keys(one).length === 1 && "that" in one ? String(one.that) : one));
      this.put(["check"], simple.length ? simple : undefined);
    };
    const cards = rows.map((row, n) => {
      const input = (name, label, words) => {
        const one = element("input", { spellcheck: String(words) });
        one.value = row[name] ?? "";
        one.addEventListener("input", () => {
          if (one.value === "" && name === "says") delete row.says;
          else row[name] = one.value;
          keep();
        });
        return this.field("Check", ["check", n, name], label, one);
      };
      const remove = this.button(_("Remove"), () => {
        rows.splice(n, 1);
        keep();
        this.draw();
      }, _("Remove rule {n}", { n: n + 1 }));
      return element(
        "fieldset",
        { class: "card", "data-key": `check ${n + 1}` },
        element("legend", {}, _("Rule {n}", { n: n + 1 })),
        element("p", { class: "error", hidden: true }),
        input("that", _("This must hold"), false),
        input("says", _("Else the table is told"), true),
        remove,
      );
    });
    const add = this.button(_("Add a rule"), () => {
      rows.push({ that: "", says: "" });
      keep();
      this.drawAndFocus(`[data-key="check ${rows.length} that"] input`);
    });
    return this.group(_("Rules for the answers"), "check", this.help["Sheet.check"], ...cards, add);
  }

  // Rows of a name and what it is.
  table(key, title, adds, valueOf, shownOf, area = false) {
    const value = this.at([key]);
    const entries = Object.entries(value && typeof value === "object" ? value : {});
    const keep = () => {
      const filled = entries.filter(([name]) => name !== "");
      this.put([key], filled.length ? Object.fromEntries(filled) : undefined);
    };
    const cards = entries.map((entry, n) => {
      const name = element("input", { spellcheck: "false", autocapitalize: "off" });
      name.value = entry[0];
      const what = element(area ? "textarea" : "input", { spellcheck: "false", rows: area ? 3 : undefined });
      what.value = shownOf(entry[1]);
      name.addEventListener("input", () => {
        entry[0] = name.value;
        keep();
      });
      what.addEventListener("input", () => {
        entry[1] = valueOf(what.value);
        keep();
      });
      const remove = this.button(_("Remove"), () => {
        entries.splice(n, 1);
        keep();
        this.draw();
      }, _("Remove {name}", { name: entry[0] }));
      return element(
        "div",
        { class: "card" },
        this.field("Ask", [`${key}-name`], _("Name"), name, { help: "id" }),
        this.field("Sheet", [key, entry[0]], area ? _("Steps") : key === "keep" ? _("New value") : _("Value"), what, { help: key }),
        remove,
      );
    });
    const add = this.button(adds, () => {
      entries.push([free(key === "steps" ? "fee" : key === "keep" ? "count" : "part", this.ids()), valueOf("0")]);
      keep();
      this.draw();
    });
    return this.group(title, key, "", ...cards, add);
  }

  names(key, title, adds) {
    return this.table(key, title, adds, (text) => plain(text) ?? "", (value) => value ?? "");
  }

  steps() {
    const read = (text) => {
      const rows = text.split("\n").map((line) => /^\s*(-?\d+)\s*=\s*(.*?)\s*$/.exec(line)).filter(Boolean);
      return Object.fromEntries(rows.map(([, from, to]) => [from, plain(to) ?? ""]));
    };
    const shown = (value) => {
      const rows = Object.entries(value && typeof value === "object" ? value : {}).map(([a, b]) => [Number(a), b]);
      return rows.sort(([a], [b]) => a - b).map(([from, to]) => `${from} = ${to}`).join("\n");
    };
    return this.table("steps", _("Tables of steps"), _("Add a table of steps"), (text) => read(text), shown, true);
  }

  // --- a race, a clock ---

  race() {
    const kind = this.at(["race", "kind"]);
    const kinds = this.select(RACES(), kind, (chosen) => {
      this.put(["race"], chosen ? { kind: chosen } : undefined);
      this.shareAll(chosen ? "race" : undefined, ["race"]);
      this.draw();
    });
    const yes = this.questions().some((ask) => ask.kind === "yes");
    const lock = element("input", { type: "checkbox" });
    lock.checked = this.at(["race", "lock_out"]) === true;
    lock.addEventListener("change", () => this.put(["race", "lock_out"], lock.checked || undefined));
    const delay = this.at(["race", "delay"]);
    const wait = element("input", {});
    wait.value = Array.isArray(delay) ? delay.join(_(" to ")) : "";
    wait.addEventListener("input", () => {
      const numbers = wait.value.match(/\d+(\.\d+)?/g)?.map(Number);
      this.put(["race", "delay"], numbers);
    });
    const signal = { shown: kind === "signal" };
    return [
      this.field("RaceOf", ["race", "kind"], _("Race of every round"), kinds),
      this.field("RaceOf", ["race", "lock_out"], _("A wrong answer locks out"), lock, {
        shown: kind === "first" && (yes || lock.checked),
      }),
      this.field("RaceOf", ["race", "delay"], _("Wait for the signal"), wait, signal),
      this.choice("RaceOf", ["race", "jump"], _("Too early"), JUMPS(), signal),
    ];
  }

  clock() {
    const kind = this.at(["clock", "kind"]);
    const kinds = this.select(CLOCKS(), kind, (chosen) => {
      const time = { turn: { seconds: 60 }, chess: { minutes: 10 }, sand: { minutes: 3 } }[chosen];
      this.put(["clock"], chosen ? { kind: chosen, ...time } : undefined);
      this.draw();
    });
    return [
      this.field("Clock", ["clock", "kind"], _("Clock"), kinds),
      this.text("Clock", ["clock", "seconds"], _("Seconds"), { shown: kind === "turn" || kind === "sand" }),
      this.text("Clock", ["clock", "minutes"], _("Minutes"), { shown: kind === "chess" || kind === "sand" }),
      this.text("Clock", ["clock", "plus"], _("Seconds for each turn"), { shown: kind === "chess" }),
    ];
  }

  // --- errors ---

  // Each stands at its field; where there is none, at what is around it. `errors`, `remarks`: key and text.
  showErrors(errors, remarks) {
    this.errors = errors;
    this.remarks = remarks;
    for (const one of this.place.querySelectorAll(".remark")) one.remove();
    for (const { key, text } of remarks) {
      this.owner(key)?.querySelector(":scope > .error")?.after(element("p", { class: "remark" }, text));
    }
    for (const one of this.place.querySelectorAll(".error")) {
      one.hidden = true;
      one.textContent = "";
    }
    for (const one of this.place.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    for (const { key, text } of errors) {
      const owner = this.owner(key);
      const line = owner?.querySelector(":scope > .error");
      if (!line) continue;
      line.textContent = [line.textContent, text].filter(Boolean).join(" ");
      line.hidden = false;
      owner.hidden = false;
      owner.parentElement.hidden = false;
      owner.querySelector(":scope > :is(input, select, textarea)")?.setAttribute("aria-invalid", "true");
      for (let fold = owner.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    }
  }

  owner(key) {
    const words = key.split(" ");
    for (let n = words.length; n > 0; n--) {
      const found = this.place.querySelector(`[data-key="${CSS.escape(words.slice(0, n).join(" "))}"]`);
      if (found) return found;
    }
    return null;
  }

  named = new WeakSet(); // questions whose short name follows their title
}

// A path as the server names it: ["ask", 0, "high"] is "ask 1 high".
function keyOf(path) {
  return path.map((step) => (typeof step === "number" ? step + 1 : step)).join(" ");
}

// A whole number, an expression, or nothing.
function plain(text) {
  const trimmed = text.normalize("NFKC").trim(); // also the wide digits of a keyboard in East Asia
  if (trimmed === "") return undefined;
  return /^-?(0|[1-9]\d{0,14})$/.test(trimmed) ? Number(trimmed) : text;
}

function slug(title) {
  const words = title.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return words.replace(/^[_0-9]+|_+$/g, "").slice(0, 20).replace(/_+$/, "");
}

function free(name, taken) {
  if (!taken.has(name)) return name;
  for (let n = 2; ; n++) if (!taken.has(`${name}_${n}`)) return `${name}_${n}`;
}
