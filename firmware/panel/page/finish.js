// The photo finish: the stamps of a judged race as lines on a time axis, each with its band; and a table for screen readers.

import { _ } from "./words.js";

const UNITS = [["s", 1e9], ["ms", 1e6], ["µs", 1e3]];
const LANE_PX = 30;
const LABEL_PX = 20; // on a narrow page names and figures stand above their lane
const NARROW_PX = 560;
const NAMES_PX = 46; // at least, left of the lanes
const TOP_PX = 8;
const WIDE = 25; // a race so many times longer than its closest gap is shown again, enlarged

const us = (ns) => `${Math.trunc(ns / 1e3).toLocaleString("en-US")} µs`;
const after = (row) => us(row.after_ns);
const gap = (row) => (row.gap_ns === null ? "" : `+${us(row.gap_ns)}`);

function element(tag, text, className = "") {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function shape(tag, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// The widths of texts in the figure, in px, measured as fonts differ between machines: names, and all others.
function widths(figure) {
  const pen = document.createElement("canvas").getContext("2d");
  const style = getComputedStyle(figure);
  const inFont = (font) => (text) => {
    pen.font = font;
    return pen.measureText(text).width;
  };
  return {
    name: inFont(`700 16px ${style.getPropertyValue("--engraved")}`),
    text: inFont(`14px ${style.fontFamily}`),
  };
}

// From the signal, or the first press where there was none, to the last press with its band.
function wholeRace(rows) {
  return { from: 0, to: Math.max(...rows.map((row) => row.after_ns + row.band_ns)) * 1.03 };
}

// The span of the closest two, where they cannot be distinguished in the whole race; else null.
function closest(found, rows, race) {
  if (found.closest === null) return null;
  const [a, b] = found.closest.map((seat) => rows.find((row) => row.seat === seat));
  const apart = Math.max(b.after_ns - a.after_ns, a.band_ns, b.band_ns);
  if (apart * WIDE > race.to - race.from) return null;
  return { from: Math.max(0, a.after_ns - apart * 1.25), to: b.after_ns + apart * 1.25 };
}

function scale({ from, to }, most) {
  let step = 10 ** Math.floor(Math.log10((to - from) / most));
  step *= [1, 2, 5, 10].find((factor) => (to - from) / (step * factor) <= most);
  const [unit, size] = UNITS.find(([, ns]) => step >= ns) ?? UNITS.at(-1);
  const ticks = [];
  for (let n = Math.ceil(from / step); n * step <= to; n++) ticks.push([n * step, (n * step) / size]);
  return { unit, ticks: ticks.map(([ns, number]) => [ns, number.toLocaleString("en-US")]) };
}

// One time axis: `rows` have lanes, `span` is its time, `enlarged` the time of the next one.
function strip(found, rows, span, { width, measured, colour, enlarged = null }) {
  const narrow = width < NARROW_PX;
  const pressed = found.rows.filter((row) => row.after_ns !== null);
  const [gapPx, timePx] = [gap, after].map((text) => Math.max(...pressed.map((row) => measured.text(text(row)))));
  const namesPx = Math.max(NAMES_PX, ...found.rows.map((row) => measured.name(row.name)));
  const above = narrow ? LABEL_PX : 0;
  const left = narrow ? 14 : namesPx + 20;
  const right = narrow ? width - 6 : width - gapPx - timePx - 26;
  const bottom = TOP_PX + rows.length * (LANE_PX + above);
  const height = bottom + 40;
  const x = (ns) => left + ((right - left) * (ns - span.from)) / (span.to - span.from);
  const inside = (px) => Math.min(right, Math.max(left, px));
  const lane = (row) => TOP_PX + rows.indexOf(row) * (LANE_PX + above) + above;
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": true });
  const draw = (...shaped) => svg.append(shape(...shaped));
  const write = (text, px, y, anchor, kind = "") =>
    draw("text", { class: kind, x: px, y, "text-anchor": anchor }, text);

  draw("rect", { class: "ground", x: left, y: TOP_PX, width: right - left, height: bottom - TOP_PX });
  const { unit, ticks } = scale(span, narrow ? 3 : 5);
  for (const [ns, text] of ticks) {
    const half = measured.text(text) / 2;
    draw("path", { class: "grid", d: `M${x(ns)} ${TOP_PX}V${bottom + 5}` });
    write(text, Math.min(Math.max(x(ns), half), right + 6 - half), bottom + 18, "middle", "quiet");
  }
  const axis = found.signal ? _("{unit} after the signal", { unit }) : _("{unit} after the first press", { unit });
  write(axis, right, bottom + 35, "end", "quiet");

  if (enlarged) {
    const [from, to] = [x(enlarged.from), x(enlarged.to)];
    draw("rect", { class: "enlarged", x: from, y: 2, width: Math.max(5, to - from), height: bottom + 4, rx: 3 });
  }
  for (const row of rows) {
    const y = lane(row);
    const text_y = narrow ? y - 5 : y + LANE_PX / 2 + 5;
    if (row !== rows[0]) draw("path", { class: "edge", d: `M${left} ${y - above}H${right}` });
    write(row.name, narrow ? left + 4 : left - 20, text_y, narrow ? "start" : "end", "who");
    if (row.after_ns === null) {
      write(row.notes, left + 10, y + LANE_PX / 2 + 5, "start", "quiet");
      continue;
    }
    const end = (narrow ? right : width) - 4;
    write(after(row), end - gapPx - 8, text_y, "end");
    write(gap(row), end, text_y, "end");
    const [from, to] = [row.after_ns - row.band_ns, row.after_ns + row.band_ns].map((ns) => inside(x(ns)));
    const fill = colour(row.seat);
    draw("rect", { class: "band", x: from, y: y + 4, width: to - from, height: LANE_PX - 8, fill });
    const at = x(row.after_ns);
    if (at !== inside(at)) continue; // on an enlarged axis only its band may be visible
    const kind = row.marks.includes("late") ? "line late" : "line";
    draw("path", { class: kind, d: `M${at} ${y + 1}v${LANE_PX - 2}`, stroke: fill });
  }
  for (const pair of found.ties) {
    const [a, b] = pair.map((seat) => rows.find((row) => row.seat === seat));
    if (a && b) draw("path", { class: "tie", d: `M${left - 4} ${lane(a) + 18}h-6V${lane(b) + 12}h6` });
  }
  return svg;
}

function table(found) {
  const made = element("table");
  const line = (kind, texts) => {
    const row = element("tr");
    row.append(...texts.map((text) => element(kind, text)));
    made.append(row);
  };
  const since = found.signal ? _("After the signal") : _("After the first press");
  line("th", [_("Player"), since, _("Gap"), _("Band"), _("Stamped by"), _("Notes")]);
  for (const row of found.rows) {
    const figures = row.after_ns === null ? ["", "", "", ""] : [after(row), gap(row), us(row.band_ns), row.source];
    line("td", [row.name, ...figures, row.notes]);
  }
  const unseen = element("div", undefined, "unseen"); // a table itself would be as wide as its words
  unseen.append(made);
  return unseen;
}

// Fills a figure, `width` px wide, with the photo finish of a race. `colour` returns a player's colour, by seat.
export function drawFinish(figure, found, width, colour) {
  const rows = found.rows.filter((row) => row.after_ns !== null);
  const race = wholeRace(rows);
  const near = closest(found, rows, race);
  const measured = widths(figure);
  const verdict = element("p", undefined, "verdict");
  verdict.append(...found.verdict.map((text) => element("span", `${text}.`)));
  const parts = [verdict, strip(found, found.rows, race, { width, measured, colour, enlarged: near })];
  if (near) {
    const there = rows.filter((row) => row.after_ns + row.band_ns > near.from && row.after_ns - row.band_ns < near.to);
    const times = Math.round((race.to - race.from) / (near.to - near.from)).toLocaleString("en-US");
    parts.push(element("p", _("The closest two, enlarged {times} times", { times }), "heading"));
    parts.push(strip(found, there, near, { width, measured, colour }));
  }
  const stamps = _("Stamps: {stamps}", { stamps: found.stamps });
  const legend = [stamps, _("A line inside another's bar is too close to call")];
  if (rows.some((row) => row.marks.includes("late"))) legend.push(_("Dashed: came in after the verdict"));
  figure.replaceChildren(...parts, element("figcaption", `${legend.join(". ")}.`), table(found));
}
