// The table of rounds, on boards, phones and the kit's own page; and what was entered in one of them, put right.
// Written for iOS 12.2 and Chrome 63 (docs/decisions/0015): no syntax, method or style that is newer.

import { _, know, named, parts } from "./words.js";

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className || "";
  if (text !== undefined) made.append(...parts(text));
  return made;
}

const nameOfRow = (round) => (round ? `${round}` : _("end"));

// The blocks of rows that the kit has told, in order: `news` has the newest of each kind.
function blocksOf(news) {
  const blocks = [];
  while (news[`rows ${blocks.length}`]) blocks.push(news[`rows ${blocks.length}`]);
  return blocks;
}

export const rowsOf = (news) => [].concat(...blocksOf(news));

// Fills a table: a row a round, the latest last; blocks that are there already stay. `onRow`, where there is one, gets
// the round whose cell is tapped.
export function drawRounds(table, news, onRow) {
  const rounds = news.rounds;
  const key = JSON.stringify([rounds.columns, rounds.buttons, rounds.names]);
  if (table.dataset.drawn !== key) {
    table.dataset.drawn = key;
    table.blocks = [];
    while (table.lastChild && table.lastChild.tagName !== "CAPTION") table.lastChild.remove();
    const heads = element("tr");
    heads.append(element("td"), ...rounds.columns.map((_seats, n) => head(rounds.buttons[n], rounds.names[n])));
    const top = element("thead");
    top.append(heads);
    table.append(top);
  }
  const blocks = blocksOf(news);
  let same = 0;
  while (same < blocks.length && same < table.blocks.length && table.blocks[same].rows === blocks[same]) same++;
  for (const { body } of table.blocks.splice(same)) body.remove();
  for (const rows of blocks.slice(same)) {
    const body = element("tbody");
    body.append(...rows.map((row) => rowOf(row, rounds, onRow)));
    table.append(body);
    table.blocks.push({ rows, body });
  }
}

function head(button, name) {
  const made = element("th");
  made.scope = "col";
  const who = named(name, "seat");
  who.dataset.button = button === null ? "none" : button;
  made.append(who);
  return made;
}

function rowOf([round, points, totals], rounds, onRow) {
  const row = element("tr");
  const title = element("th", "", nameOfRow(round));
  title.scope = "row";
  const cells = points.map((number, n) => {
    const cell = element("td");
    const shown = [element("small", "", number === null ? "" : number > 0 ? `+${number}` : number), " ", element("b", "", totals[n])];
    if (onRow && number !== null) {
      const key = element("button");
      key.type = "button";
      key.setAttribute("aria-label", _("Round {round}, {name}: {points}, {total}. Put right", { round: nameOfRow(round), name: rounds.names[n], points: number, total: totals[n] }));
      key.onclick = () => onRow(round);
      key.append(...shown);
      cell.append(key);
    } else cell.append(...shown);
    return cell;
  });
  row.append(title, ...cells);
  return row;
}

// The form with what was entered in a round. `send` gets the numbers that were changed, and what they were before;
// `close` closes it.
export function formOf({ round, entries }, send, close) {
  const form = element("form", "amend");
  form.autocomplete = "off";
  know(...entries.map(({ who }) => who));
  form.append(element("h3", "", round ? _("Round {round}", { round }) : _("At the end")));
  const inputs = entries.map((entry) => field(form, entry));
  if (!entries.length) form.append(element("p", "", _("No number was entered here.")));
  const refused = element("p", "refused");
  refused.setAttribute("role", "alert");
  const keys = element("p", "keys");
  const sending = element("button", "main", _("Put right"));
  sending.disabled = !entries.length;
  const closing = element("button", "", _("Close"));
  closing.type = "button";
  closing.onclick = close;
  keys.append(sending, closing);
  form.append(refused, keys);
  form.onsubmit = (event) => {
    event.preventDefault();
    const changed = entries
      .map(({ seat, verb, value }, n) => [seat, verb, Number(inputs[n].value), value])
      .filter(([, , now, before]) => now !== before);
    refused.textContent = changed.length ? "" : _("These numbers stand there already.");
    if (changed.length) send(changed.map((one) => one.slice(0, 3)), changed.map((one) => one[3]));
  };
  return form;
}

function field(form, { who, text, value, low, high, step, words }) {
  const label = element("label");
  const name = element("span", "", [who, text].filter(Boolean).join(": "));
  const input = element(words.length ? "select" : "input");
  if (words.length) {
    words.forEach((word, n) => {
      if (!word && low + n !== value) return; // who was out by then is not to be named
      const option = element("option", "", word);
      option.value = low + n;
      input.append(option);
    });
  } else {
    Object.assign(input, { type: "number", min: low, max: high, step: 1, required: true });
    if (low >= 0) input.inputMode = "numeric";
    name.append(" ", element("small", "", _("{low} to {high}", { low, high })));
  }
  input.value = value;
  label.append(name, input);
  form.append(label);
  return input;
}
