// The LED strip: its lamps in rows or in a ring, in their colours, with the rhythms in the colours' lowest bits.

const MIN_PX = 5; // from lamp to lamp; more lamps continue in another row
const GROOVE_PX = 16; // at least: a ring's groove; a smaller ring is not drawn
const SPILL = 8; // the light on the wood is drawn so many times smaller, as it is blurred
const STEP_MS = 40; // between frames of a breath
const FLASH_MS = 250;
const CHASE_MS = 80;
const BREATH_MS = 2000;
const RUN = 6; // lamps of a running light
const TAIL = [1, 0.5, 0.25, 0.12, 0.12, 0.12];
const [BREATHE, FLASH, CHASE] = [0b001, 0b010, 0b100];

const canvas = document.getElementById("leds");
const light = document.getElementById("light");
const still = matchMedia("(prefers-reduced-motion: reduce)");

let shape = "straight";
let start = 0; // the angle of a ring's first lamp, clockwise from the top
let lamps = []; // each: its colour in CSS, null while dark; the colour of its middle; its rhythm
let places = []; // of the lamps: x, y and the angle of its width
let size = { along: 0, across: 0 }; // of a lamp
let sockets = null; // the picture of dark lamps; null while there is no room for any
let glows = new Map(); // by colour: the picture of a lit lamp
let frame = 0;
let drawn = "";

export function buildStrip(leds, itsShape, asBuilt) {
  shape = itsShape;
  start = asBuilt ? Math.PI : 0; // on a lid the ring begins at the front, at its wires
  lamps = Array.from({ length: leds }, () => ({ colour: null, core: null, rhythm: 0 }));
  layStrip();
}

export function drawStrip(hex) {
  const longer = hex.length / 6 !== lamps.length; // the controller has reported another number
  lamps = hex.match(/.{6}/g).map(lampOf);
  if (longer) layStrip();
  canvas.dataset.lit = lamps.filter((lamp) => lamp.colour).length;
  draw(performance.now());
  run();
}

export function layStrip() {
  const count = lamps.length;
  const ratio = devicePixelRatio;
  const lens = canvas.parentElement;
  sockets = null;
  if (count === 0 || lens.clientWidth <= (shape === "ring" ? 2 * GROOVE_PX : 0)) return;
  lens.style.height = "";
  const width = lens.clientWidth;
  if (shape === "ring") layRing(count, width);
  else layRows(count, width, lens);
  const height = lens.clientHeight;
  for (const each of [canvas, (sockets = document.createElement("canvas"))]) {
    each.width = Math.round(width * ratio);
    each.height = Math.round(height * ratio);
  }
  light.width = Math.ceil(light.clientWidth / SPILL);
  light.height = Math.ceil(light.clientHeight / SPILL);
  glows = new Map();
  paintSockets(width, ratio);
  draw(performance.now());
}

function layRows(count, width, lens) {
  const margin = Math.min(12, width / 50);
  const room = width - 2 * margin;
  const rows = Math.ceil((count * MIN_PX) / room);
  const row = Math.ceil(count / rows);
  const pitch = room / row;
  const high = Math.max(12, pitch * 1.4);
  if (rows > 1) lens.style.height = `${rows * high + 8}px`;
  const top = (lens.clientHeight - rows * high) / 2;
  const round = Math.min(pitch * 0.82, Math.max(5, Math.min(innerWidth, innerHeight) * 0.011, MIN_PX), 12);
  size = { along: round, across: round };
  places = lamps.map((_, n) => ({
    x: margin + ((n % row) + 0.5) * pitch,
    y: top + (Math.floor(n / row) + 0.5) * high,
    angle: 0,
  }));
  canvas.dataset.rows = rows;
}

function layRing(count, width) {
  const groove = Math.max(GROOVE_PX, Math.min(26, width / 9));
  const radius = (width - groove) / 2;
  const pitch = (2 * Math.PI * radius) / count;
  const along = Math.min(pitch * 0.82, groove * 0.5);
  size = { along, across: Math.max(along, groove * 0.4), groove };
  places = lamps.map((_, n) => {
    const angle = start + (2 * Math.PI * n) / count; // clockwise
    return { x: width / 2 + radius * Math.sin(angle), y: width / 2 - radius * Math.cos(angle), angle };
  });
  canvas.dataset.rows = 1;
}

// --- drawing ---

function lampOf(hex) {
  const parts = [0, 2, 4].map((at) => parseInt(hex.substr(at, 2), 16));
  const bits = parts.reduce((before, part) => (before << 1) | (part & 1), 0);
  // a dim LED looks brighter than its value on a screen
  const seen = parts.map((part) => Math.round(255 * ((part & ~1) / 255) ** 0.55));
  const lit = seen.some((part) => part > 0);
  const dazzling = (Math.max(...seen) / 255) ** 3; // the middle of a bright lamp is white
  return {
    colour: lit ? `rgb(${seen.join(" ")})` : null,
    core: lit ? `rgb(${seen.map((part) => Math.round(part + (255 - part) * dazzling)).join(" ")})` : null,
    rhythm: lit && [BREATHE, FLASH, CHASE].includes(bits) ? bits : 0,
  };
}

function level(rhythm, n, now) {
  if (still.matches) return 1;
  if (rhythm === BREATHE) return 0.625 + 0.375 * Math.cos((2 * Math.PI * now) / BREATH_MS);
  if (rhythm === FLASH) return Math.floor(now / FLASH_MS) % 2 === 0 ? 1 : 0;
  if (rhythm === CHASE) return TAIL[(Math.floor(now / CHASE_MS) + RUN - (n % RUN)) % RUN];
  return 1;
}

function glow(colour, core, ratio) {
  const known = glows.get(colour);
  if (known) return known;
  if (glows.size > 400) glows.clear();
  const made = document.createElement("canvas");
  made.width = made.height = Math.ceil(size.along * 3 * ratio);
  const half = made.width / 2;
  const pen = made.getContext("2d");
  const shine = pen.createRadialGradient(half, half, 0, half, half, half);
  shine.addColorStop(0, core);
  shine.addColorStop(0.06, core);
  shine.addColorStop(0.24, colour);
  shine.addColorStop(0.33, colour);
  shine.addColorStop(0.36, `rgb(from ${colour} r g b / 42%)`);
  shine.addColorStop(1, `rgb(from ${colour} r g b / 0%)`);
  pen.fillStyle = shine;
  pen.fillRect(0, 0, made.width, made.height);
  glows.set(colour, made);
  return made;
}

function paintSockets(width, ratio) {
  const pen = sockets.getContext("2d");
  pen.scale(ratio, ratio);
  if (shape === "ring") {
    const middle = width / 2;
    for (const [colour, wide] of [["#1a0c05", 0], ["#8d652b", 3], ["#e8c678", 4.5], ["#0d0906", 6]]) {
      pen.beginPath();
      pen.arc(middle, middle, middle - size.groove / 2, 0, 2 * Math.PI);
      pen.strokeStyle = colour;
      pen.lineWidth = size.groove - wide;
      pen.stroke();
    }
  }
  pen.fillStyle = "#37302a";
  for (const { x, y, angle } of places) {
    pen.beginPath();
    pen.ellipse(x, y, size.along / 2, size.across / 2, angle, 0, 2 * Math.PI);
    pen.fill();
  }
}

function draw(now) {
  drawn = moment(now);
  if (sockets === null) return;
  const ratio = devicePixelRatio;
  const pen = canvas.getContext("2d");
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.globalCompositeOperation = "copy";
  pen.drawImage(sockets, 0, 0);
  pen.globalCompositeOperation = "lighter";
  const spill = light.getContext("2d");
  spill.setTransform(1, 0, 0, 1, 0, 0);
  spill.clearRect(0, 0, light.width, light.height);
  spill.setTransform(1 / SPILL, 0, 0, 1 / SPILL, 0, 0);
  const [left, top] = [(light.clientWidth - canvas.clientWidth) / 2, (light.clientHeight - canvas.clientHeight) / 2];
  const [wide, high] = [size.along * 3, size.across * 3];
  lamps.forEach(({ colour, core, rhythm }, n) => {
    if (colour === null) return;
    const { x, y, angle } = places[n];
    const seen = level(rhythm, n, now) ** 0.55;
    const [cos, sin] = [ratio * Math.cos(angle), ratio * Math.sin(angle)];
    pen.globalAlpha = spill.globalAlpha = seen;
    pen.setTransform(cos, sin, -sin, cos, x * ratio, y * ratio);
    pen.drawImage(glow(colour, core, ratio), -wide / 2, -high / 2, wide, high);
    spill.fillStyle = colour;
    spill.fillRect(left + x - SPILL, top + y - 2 * SPILL, 2 * SPILL, 4 * SPILL);
  });
  pen.globalAlpha = spill.globalAlpha = 1;
}

// --- moving: frames are requested only while a lamp moves ---

function moment(now) {
  const parts = { [BREATHE]: STEP_MS, [FLASH]: FLASH_MS, [CHASE]: CHASE_MS };
  const there = new Set(lamps.map((lamp) => lamp.rhythm));
  return Object.keys(parts).map((rhythm) => (there.has(+rhythm) ? Math.floor(now / parts[rhythm]) : "")).join();
}

function run() {
  const moving = !still.matches && lamps.some((lamp) => lamp.rhythm !== 0);
  if (moving && frame === 0) frame = requestAnimationFrame(step);
  if (!moving) {
    cancelAnimationFrame(frame);
    frame = 0;
  }
}

function step() {
  const now = performance.now();
  if (moment(now) !== drawn) draw(now);
  frame = requestAnimationFrame(step);
}

still.addEventListener("change", () => {
  draw(performance.now());
  run();
});
