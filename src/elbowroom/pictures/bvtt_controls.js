// ---- What is chosen

function show(left, wide) {
  view.wide = Math.min(Math.max(wide, Math.min(4, places)), places);
  view.left = Math.min(Math.max(left, 0), places - view.wide);
  stale = true;
}
const zoom = (by, about) => show(about - (about - view.left) * by, view.wide * by);
const whole = () => show(0, places);

// A node with what lies below it, or, of a node of the cut, with its neighbourhood.
function visit(node) {
  const wide = Math.max(1.15 * (last[node] - first[node] + 1), Math.min(48, places));
  show((first[node] + last[node] + 1 - wide) / 2, wide);
  point(node);
}

// Places to go through, one after the other: where the cut is deeper than on either side, hits, what is left open.
function troughs() {
  const found = [], kept = [];
  let falling = true;
  for (let k = 0; k < places; k++) {
    const after = k + 1 < places ? depth[cut[k + 1]] : 0;
    if (falling && after < depth[cut[k]]) found.push(cut[k]);
    if (after !== depth[cut[k]]) falling = after > depth[cut[k]];
  }
  for (const node of found.sort((i, j) => depth[j] - depth[i] || i - j)) {
    if (kept.length >= 24) break;
    if (kept.every((other) => Math.abs(first[other] - first[node]) > 0.02 * places)) kept.push(node);
  }
  return kept;
}
const tours = {
  trough: { stops: troughs, at: -1 },
  hit: { stops: () => cut.filter((i) => state[i] === HIT), at: -1 },
  open: { stops: () => cut.filter((i) => state[i] === OPEN), at: -1 },
};
function next(name) {
  const tour = tours[name], stops = tour.stops();
  if (!stops.length) return;
  tour.at = (tour.at + 1) % stops.length;
  visit(stops[tour.at]);
}

function settings() {
  const group = Math.max(1, Math.floor(Number($("group").value)) || 1);
  return { group, threshold: Math.max(0, Number($("threshold").value) || 0) };
}

// ---- What is told about a node

const number = (value) => value.toLocaleString("en", { maximumSignificantDigits: 6 });

function story(i) {
  const lines = [`${data.states[state[i]]}, depth ${depth[i]}`, `volumes ${a[i]} and ${b[i]}`];
  if (part[i]) lines[1] += `, pair of shapes ${part[i]}`;
  lines.push(`${number(pairs[i])} pair${pairs[i] === 1 ? "" : "s"} of primitives`);
  if (gap[i] > 0) lines.push(`at least ${number(gap[i])} apart`);
  if (last[i] > first[i]) lines.push(`above places ${number(first[i])} to ${number(last[i])} of the cut`);
  else lines.push(`${cut[first[i]] === i ? "" : "above "}place ${number(first[i])} of the cut`);
  if (lowest[i] > depth[i]) lines.push(`goes down to depth ${lowest[i]}`);
  return [`node ${number(i)}: ${lines[0]}`, ...lines.slice(1)].join("\n");
}

function point(node, event) {
  under = node;
  stale = true;
  const box = $("told"), stage = $("stage").getBoundingClientRect();
  box.textContent = node < 0 ? "" : story(node);
  if (node < 0) return;
  // What was not pointed at is told about in the corner, where it hides little.
  const x = event ? event.clientX : window.innerWidth, y = event ? event.clientY : stage.top;
  box.style.left = `${Math.max(4, Math.min(x + 16, window.innerWidth - box.offsetWidth - 8))}px`;
  const above = y + 16 + box.offsetHeight > stage.bottom;
  box.style.top = `${above ? y - box.offsetHeight - 14 : y + 16}px`;
}

// The nearest node of the level that the pointer is at, if it is near.
function nearest(event) {
  const stage = $("stage").getBoundingClientRect(), x = event.clientX - stage.left, y = event.clientY - stage.top;
  const row = stage.height / (deepest + 0.5), level = levels[Math.round(y / row + 0.4)];
  if (!level || x < EDGE) return -1;
  const off = (i) => Math.abs(across(middle(i), stage.width) - x), place = placeAt(event, $("stage"));
  const after = search(level, (i) => middle(i) < place);
  const best = level.slice(Math.max(after - 1, 0), after + 1).reduce((i, j) => (off(j) < off(i) ? j : i));
  return off(best) < Math.max(12, (0.5 * stage.width) / view.wide) ? best : -1;
}

function placeAt(event, canvas) {
  const box = canvas.getBoundingClientRect(), share = (event.clientX - box.left - EDGE) / (box.width - EDGE);
  return canvas.id === "profile" ? share * places : view.left + share * view.wide;
}

// ---- Hands: drag moves, the wheel or two fingers zoom, a double click opens a node, keys do the same.

const fingers = new Map();

function dragged(event) {
  const before = fingers.get(event.pointerId), stage = $("stage");
  if (!before) { point(nearest(event), event); return; }
  const spread = () => { const [one, two] = [...fingers.values()]; return Math.abs(one - two); };
  const was = fingers.size === 2 ? spread() : 0;
  fingers.set(event.pointerId, event.clientX);
  if (fingers.size === 2) zoom(was / Math.max(spread(), 1), placeAt(event, stage));
  else show(view.left - ((event.clientX - before) / (stage.clientWidth - EDGE)) * view.wide, view.wide);
}

function listen() {
  const stage = $("stage"), profile = $("profile");
  for (const canvas of [stage, profile])
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      if (canvas === stage) fingers.set(event.pointerId, event.clientX);
      else show(placeAt(event, profile) - view.wide / 2, view.wide);
    });
  stage.addEventListener("pointermove", dragged);
  profile.addEventListener("pointermove", (event) => {
    if (event.buttons) show(placeAt(event, profile) - view.wide / 2, view.wide);
  });
  for (const name of ["pointerup", "pointercancel"])
    stage.addEventListener(name, (event) => fingers.delete(event.pointerId));
  stage.addEventListener("pointerleave", () => point(-1));
  for (const canvas of [stage, profile])
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(Math.exp(0.0015 * event.deltaY), placeAt(event, canvas));
    }, { passive: false });
  stage.addEventListener("dblclick", (event) => {
    const node = nearest(event);
    if (node < 0) whole();
    else visit(node);
  });
  stage.addEventListener("keydown", pressed);
  $("whole").addEventListener("click", () => { point(-1); whole(); });
  for (const name of Object.keys(tours)) {
    $(name).addEventListener("click", () => next(name));
    $(name).disabled = !tours[name].stops().length;
  }
  for (const name of ["group", "threshold"])
    $(name).addEventListener("input", () => {
      danger = dangerous(settings().group, settings().threshold);
      stale = true;
    });
  window.addEventListener("resize", () => { stale = true; });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { stale = true; });
}

function pressed(event) {
  const centre = view.left + view.wide / 2;
  const act = {
    ArrowLeft: () => show(view.left - 0.1 * view.wide, view.wide),
    ArrowRight: () => show(view.left + 0.1 * view.wide, view.wide),
    "+": () => zoom(0.8, centre), "-": () => zoom(1.25, centre), Home: whole, t: () => next("trough"),
  }[event.key];
  if (act) { event.preventDefault(); act(); }
}

function explain() {
  const counts = data.states.map((_, k) => state.reduce((sum, s) => sum + (s === k), 0));
  const item = (tint, text, kind) => `<span><i class="${kind}" style="background:${tint}"></i>${text}</span>`;
  const kinds = data.drawn.filter((k) => counts[k]);
  $("legend").innerHTML =
    kinds.map((k) => item(data.colours[k], `${number(counts[k])} ${data.states[k]}`,
      k === APART || k === LEAF_APART ? "apart" : "")).join("") +
    item(data.cut, "profile cut", "area") + item(data.danger, "dangerous region", "area");
}

function step() {
  if (stale) {
    stale = false;
    drawProfile();
    drawTree();
  }
  requestAnimationFrame(step);
}

// ---- Begin

$("group").value = String(data.group);
$("threshold").value = String(data.threshold);
explain();
listen();
const wanted = /node=(\d+)/.exec(location.hash); // #node=12 opens the page at a node, #trough at the deepest
if (wanted) visit(Math.min(Number(wanted[1]), count - 1));
else if (location.hash === "#trough") next("trough");
step();
