// A score sheet tried in the page. The server reckons the game from its moves, each time anew; it keeps nothing.

import { element } from "./sheet_form.js";
import { _ } from "./words.js";

export class Trial {
  // `place`: where it is shown; `ask`: asks the server; `changed`: called with whether one is under way, and its moves
  constructor(place, ask, changed) {
    this.place = place;
    this.ask = ask;
    this.changed = changed;
    this.end();
  }

  end() {
    clearTimeout(this.timer);
    this.game = null; // text and players
    this.moves = [];
    this.entered = new Map(); // numbers that are not sent yet, by question
    this.place.replaceChildren();
    this.changed(false, 0);
  }

  async begin(text, players) {
    this.end();
    this.game = { text, players };
    this.since = performance.now();
    this.ahead = 0; // a round at random takes time that has not passed here
    await this.show();
  }

  now() {
    return Math.round(performance.now() - this.since + this.ahead);
  }

  async move(seat, verb, value) {
    this.moves.push([this.now(), seat, verb, value]);
    await this.show(() => this.moves.pop());
  }

  random() {
    return this.move(null, "", null);
  }

  async undo() {
    this.moves.pop();
    await this.show();
  }

  // `back`: what to do where the server refuses
  async show(back = () => {}) {
    clearTimeout(this.timer);
    const game = this.game;
    if (game === null) return;
    const told = await this.ask({ do: "try", ...game, moves: this.moves, now_ms: this.now() });
    if (game !== this.game || told === null) return;
    if (told.errors || told.refused) {
      back();
      const why = told.refused ?? _("The file has errors: mend them first.");
      this.place.querySelector(".error")?.remove();
      this.place.prepend(element("p", { class: "error", role: "alert" }, why));
      this.changed(this.moves.length > 0, this.moves.length);
      return;
    }
    this.ahead += Math.max(0, told.now_ms - this.now());
    if (told.due_ms !== null) {
      const wait = Math.max(100, told.due_ms - this.now());
      this.timer = setTimeout(() => this.show(), Math.min(wait, 600_000));
    }
    this.draw(told);
    this.changed(true, this.moves.length, told.over);
  }

  draw(told) {
    const focused = document.activeElement?.dataset?.ask;
    const table = element("table", {}, element("caption", {}, told.where.join(", ")));
    const kept = Object.keys(told.seats[0].kept);
    const heads = [_("player"), _("points"), ...kept].map((head) => element("th", { scope: "col" }, head));
    table.append(element("thead", {}, element("tr", {}, ...heads)));
    const body = element("tbody");
    for (const seat of told.seats) {
      const name = seat.asked ? `${seat.name} ◂` : seat.name;
      const cells = [seat.total, ...kept.map((key) => seat.kept[key])];
      body.append(
        element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((one) => element("td", {}, String(one)))),
      );
    }
    table.append(body);
    const says = told.says.map((text) => element("p", {}, text));
    const asks = told.asks.filter((ask) => !ask.aside).map((ask) => this.question(ask, told));
    const aside = told.asks.filter((ask) => ask.aside).map((ask) => this.question(ask, told));
    this.place.replaceChildren(
      element("div", { role: "status", class: "says" }, ...says),
      table,
      element("div", { class: "asks" }, ...asks),
      element("div", { class: "row" }, ...aside),
    );
    const again = focused && this.place.querySelector(`[data-ask="${CSS.escape(focused)}"]`);
    (again || (focused && this.place.querySelector("[data-ask]")))?.focus();
  }

  question(ask, told) {
    const who = ask.seat === null ? "" : told.seats[ask.seat].name;
    const label = who ? _("{who}: {text}", { who, text: ask.text }) : ask.text;
    const key = `${ask.seat} ${ask.verb}`;
    const answer = (value) => {
      this.entered.delete(key);
      this.move(ask.seat, ask.verb, value);
    };
    if (ask.options) {
      const buttons = ask.options.map(([value, text], n) => {
        const button = element("button", { type: "button", "data-ask": `${key} ${n}` }, text);
        button.addEventListener("click", () => answer(value));
        return button;
      });
      return element("div", { class: "ask", role: "group", "aria-label": label }, element("span", {}, label), ...buttons);
    }
    if (ask.low === undefined) {
      const button = element("button", { type: "button", "data-ask": key }, label);
      button.addEventListener("click", () => answer(null));
      return button;
    }
    const input = element("input", { type: "number", min: ask.low, max: ask.high, step: "any", "data-ask": key });
    input.value = this.entered.get(key) ?? ask.prefill ?? "";
    input.addEventListener("input", () => this.entered.set(key, input.value));
    const form = element(
      "form",
      { class: "ask" },
      element("label", {}, _("{label} ({low} to {high})", { label, low: ask.low, high: ask.high }), input),
      element("button", { "aria-label": _("OK, {label}", { label }) }, _("OK")),
    );
    form.noValidate = true;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (input.value !== "") answer(Number(input.value));
    });
    return form;
  }
}
