"use strict";
// Shows a traversal tree: levels from top to bottom, the cut list from left to right, as much of it as is chosen.
// Data comes from the page, nothing from elsewhere.

const data = JSON.parse(document.getElementById("tree").textContent);
const $ = (id) => document.getElementById(id);
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
const depth = new Uint16Array(bytes(data.depth)), state = new Uint8Array(bytes(data.state));
const [a, b, part] = [data.a, data.b, data.part].map((text) => new Int32Array(bytes(text)));
const [gap, pairs] = [data.gap, data.pairs].map((text) => new Float64Array(bytes(text)));
const [OPENED, APART, LEAF_APART, HIT, OPEN] = [0, 1, 2, 3, 4];
const rank = data.states.map((_, k) => data.drawn.indexOf(k)); // of two in one place the one of higher rank is seen

// ---- The tree, from depths in preorder: parents, cut, and which places of the cut lie below each node.

const count = depth.length, parent = new Int32Array(count);
const first = new Int32Array(count), last = new Int32Array(count), lowest = Uint16Array.from(depth);
const cut = [], levels = [[]];
(function build() {
  const path = [];
  for (let i = 0; i < count; i++) {
    path[depth[i]] = i;
    parent[i] = i ? path[depth[i] - 1] : -1;
    first[i] = cut.length;
    (levels[depth[i]] ||= []).push(i);
    if (i + 1 === count || depth[i + 1] <= depth[i]) cut.push(i);
  }
  for (let i = count - 1; i >= 0; i--) {
    last[i] = Math.max(last[i], first[i]);
    if (!i) continue;
    last[parent[i]] = Math.max(last[parent[i]], last[i]);
    lowest[parent[i]] = Math.max(lowest[parent[i]], lowest[i]);
  }
})();
const places = cut.length, deepest = levels.length - 1;

// Which places of the cut list are in groups whose depths vary by more than the threshold.
function dangerous(group, threshold) {
  const out = new Uint8Array(places);
  for (let start = 0; start < places; start += group) {
    const end = Math.min(start + group, places);
    let sum = 0, squares = 0;
    for (let k = start; k < end; k++) { sum += depth[cut[k]]; squares += depth[cut[k]] ** 2; }
    const n = end - start;
    if (Math.sqrt(n * squares - sum * sum) / n > threshold) out.fill(1, start, end);
  }
  return out;
}
let danger = dangerous(data.group, data.threshold);

// ---- What is shown: places `left` to `left + wide`; all levels always are.

const view = { left: 0, wide: places };
// Above the middle of what is shown of what lies below it: so the way up from a part never leaves the view.
const middle = (i) => (Math.max(first[i], view.left) + Math.min(last[i] + 1, view.left + view.wide)) / 2;
let under = -1, stale = true; // the node that the pointer is at

function surface(canvas) {
  const ratio = window.devicePixelRatio || 1, [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(wide * ratio);
  canvas.height = Math.round(high * ratio);
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  return { pen, wide, high };
}
const colour = (name) => getComputedStyle(document.body).getPropertyValue(name).trim();
const EDGE = 34; // pixels for the numbers of levels
const across = (place, wide) => EDGE + ((place - view.left) / view.wide) * (wide - EDGE);
const down = (level, high) => ((level - 0.4) * high) / (deepest + 0.5);

// Runs of equal pixels: calls f(pixel, from, to) with the places of the cut that fall into each pixel column.
function columns(from, to, at, f) {
  for (let k = from; k < to; ) {
    const pixel = Math.floor(at(k));
    let end = k + 1;
    while (end < to && Math.floor(at(end)) === pixel) end++;
    f(pixel, k, end);
    k = end;
  }
}

function shade(pen, at, from, to, high) {
  pen.fillStyle = data.danger;
  pen.globalAlpha = 0.28;
  for (let k = from; k < to; ) {
    let end = k;
    while (end < to && danger[end] === danger[k]) end++;
    if (danger[k]) pen.fillRect(at(k), 0, Math.max(at(end) - at(k), 0.3), high);
    k = end;
  }
  pen.globalAlpha = 1;
}

// The whole cut: per pixel column a band from the least depth to the greatest, and the most telling node.
function drawProfile() {
  const { pen, wide, high } = surface($("profile"));
  const at = (place) => EDGE + (place / places) * (wide - EDGE);
  const y = (level) => (level * (high - 10)) / (deepest + 0.5);
  shade(pen, at, 0, places, high);
  columns(0, places, at, (pixel, from, to) => {
    let low = Infinity, most = 0, told = cut[from];
    for (let k = from; k < to; k++) {
      low = Math.min(low, depth[cut[k]]);
      most = Math.max(most, depth[cut[k]]);
      if (rank[state[cut[k]]] > rank[state[told]]) told = cut[k];
    }
    const width = Math.max(1, at(to) - at(from));
    pen.fillStyle = colour("--line");
    pen.fillRect(at(from), 0, width, y(most));
    pen.fillStyle = data.cut;
    pen.fillRect(at(from), y(low), width, y(most) - y(low) + 1.5);
    pen.fillStyle = data.colours[state[told]];
    if (rank[state[told]] > rank[LEAF_APART]) pen.fillRect(at(from), y(depth[told]) - 2, Math.max(width, 2.5), 5);
  });
  pen.strokeStyle = colour("--link");
  pen.lineWidth = 1.5;
  pen.fillStyle = colour("--link");
  const [x, right] = [at(view.left), at(view.left + view.wide)];
  pen.globalAlpha = 0.12;
  pen.fillRect(x, 0, right - x, high);
  pen.globalAlpha = 1;
  pen.strokeRect(x + 0.75, 0.75, Math.max(right - x - 1.5, 1), high - 1.5);
}

function drawTree() {
  const { pen, wide, high } = surface($("stage"));
  const x = (place) => across(place, wide), y = (level) => down(level, high);
  const from = Math.max(0, Math.floor(view.left)), to = Math.min(places, Math.ceil(view.left + view.wide));
  const room = (wide - EDGE) / view.wide, size = Math.min(7, Math.max(1.2, 0.36 * room), 0.32 * (y(2) - y(1)));
  shade(pen, x, from, to, high);
  if (under >= 0) drawPath(pen, x, y, high);
  const seen = visible(x, wide, Math.max(1, size));
  pen.strokeStyle = colour("--soft");
  pen.lineWidth = Math.min(1, 0.25 * size);
  pen.beginPath();
  for (const i of seen) {
    if (i) pen.moveTo(x(middle(parent[i])), y(depth[i] - 1));
    pen.lineTo(x(middle(i)), y(depth[i]));
  }
  pen.stroke();
  pen.globalAlpha = room < 2 ? 0.3 : 1;
  drawCut(pen, x, y, from, to);
  pen.globalAlpha = 1;
  for (const i of seen) mark(pen, x(middle(i)), y(depth[i]), state[i], size);
  drawNumbers(pen, y, high);
}

// How many nodes of a level come first, for which something holds.
function search(level, holds) {
  let low = 0, high = level.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if (holds(level[half])) low = half + 1;
    else high = half;
  }
  return low;
}

// One node for every few pixels of a level: of those that fall together, the one of the highest rank.
function visible(x, wide, step) {
  const out = [];
  for (const level of levels) {
    let spot = -1;
    const start = search(level, (i) => last[i] + 1 <= view.left);
    for (let k = start; k < level.length && first[level[k]] < view.left + view.wide; k++) {
      const i = level[k], here = Math.floor(x(middle(i)) / step);
      if (here !== spot) { out.push(i); spot = here; }
      else if (rank[state[i]] > rank[state[out[out.length - 1]]]) out[out.length - 1] = i;
    }
  }
  return out;
}

function mark(pen, x, y, what, size) {
  pen.fillStyle = data.colours[what];
  if (size < 2 && what !== HIT) return pen.fillRect(x - size / 2, y - size, Math.max(size, 1), 2 * size);
  const r = { [OPEN]: 0.8, [HIT]: 1.5 }[what] * size || size;
  pen.beginPath();
  if (what === APART || what === LEAF_APART) {
    pen.moveTo(x - r, y); pen.lineTo(x, y - r); pen.lineTo(x + r, y); pen.lineTo(x, y + r);
  } else pen.arc(x, y, what === HIT ? Math.max(r, 4) : r, 0, 7);
  pen.fill();
}

// Just below the lowest nodes; several in one pixel column make a band.
function drawCut(pen, x, y, from, to) {
  pen.strokeStyle = data.cut;
  pen.lineWidth = 1.4;
  pen.beginPath();
  columns(Math.max(0, from - 1), Math.min(places, to + 1), x, (pixel, start, end) => {
    let low = Infinity, most = 0;
    for (let k = start; k < end; k++) {
      low = Math.min(low, depth[cut[k]]);
      most = Math.max(most, depth[cut[k]]);
    }
    for (const [place, level] of [[start, low], [end, most]]) pen.lineTo(x(place), y(level + 0.42));
  });
  pen.stroke();
}

// The way from the root to the node that is pointed at, and what lies below it.
function drawPath(pen, x, y, high) {
  pen.fillStyle = colour("--link");
  pen.globalAlpha = 0.1;
  pen.fillRect(x(first[under]), y(depth[under]), x(last[under] + 1) - x(first[under]), high);
  pen.globalAlpha = 1;
  pen.strokeStyle = colour("--link");
  pen.lineWidth = 3;
  pen.beginPath();
  for (let i = under; i >= 0; i = parent[i]) pen.lineTo(x(middle(i)), y(depth[i]));
  pen.stroke();
}

function drawNumbers(pen, y, high) {
  pen.fillStyle = colour("--page");
  pen.fillRect(0, 0, EDGE - 4, high);
  pen.fillStyle = colour("--soft");
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "right";
  const step = [1, 2, 5, 10, 20, 50, 100].find((n) => y(1 + n) - y(1) > 15) || 200;
  for (let level = 1; level <= deepest; level++)
    if (level === 1 || level % step === 0) pen.fillText(String(level), EDGE - 10, y(level) + 4);
}
