// ---- The page of clashes: a table, and a view that goes to the clash that is picked

const table = JSON.parse(document.getElementById("clashes").textContent);
const TINTS = ["#e0245e", "#a87fd1", "#e2ae24", "#4f8fd0"]; // by kind
const FIRST = "#f0973a", SECOND = "#4f8fd0", OTHER = "#b9bec4", PAGE = 400;
const rows = table.rows.map(([kind, a, b, gap, depth, place, size, twice], number) =>
  ({ number, kind, a, b, gap, depth, place, size, twice, points: kind > 0 }));
const worst = new Map(); // the worst kind by part
for (const row of rows) for (const part of [row.a, row.b]) worst.set(part, Math.min(row.kind, worst.get(part) ?? 9));
const byId = (id) => document.getElementById(id);
const length = (x) => (x === 0 ? "0" : String(Number(x.toPrecision(4)))) + (table.unit ? ` ${table.unit}` : "");

class ClashScene extends Scene {
  // After the parts, and in front of them, what the picked clash is about: where surfaces cut, or the shortest line.
  draw(at, eye, projection, shown) {
    const [lines] = this.lines, { picked } = view;
    lines.radius = 0;
    super.draw(at, eye, projection, shown);
    if (!picked || !lines.counts[picked.number]) return;
    lines.radius = 0.0022 * view.stage.eye.distance;
    lines.ends = (picked.points ? 2.4 : 1) * lines.radius;
    gl.clear(gl.DEPTH_BUFFER_BIT);
    super.paintLines(lines, picked.number);
  }

  paintLines() {} // not with the parts
}

class ClashStage extends Stage {
  shown(layer) {
    if (!view.picked || !byId("alone").checked || !/^\d+$/.test(layer)) return /^\d+$/.test(layer) || !layer;
    return [view.picked.a, view.picked.b].includes(Number(layer));
  }
}

const view = { picked: null, stage: null, sorted: "", down: false, many: PAGE };

// Parts that clash are coloured, but for those that only touch; of a picked clash the two alone, and the others are faint.
function tint() {
  const { picked, stage } = view;
  if (!stage) return;
  for (const body of stage.data.bodies) {
    const part = Number(body.layer);
    if (!picked) Object.assign(body, { colour: worst.has(part) && worst.get(part) !== 2 ? FIRST : OTHER, alpha: 1 });
    else if (part === picked.a) Object.assign(body, { colour: FIRST, alpha: picked.kind === 1 ? 1 : 0.75 });
    else if (part === picked.b) Object.assign(body, { colour: SECOND, alpha: picked.kind === 1 ? 0.35 : 0.75 });
    else Object.assign(body, { colour: OTHER, alpha: 0.12 });
  }
  stage.stale = true;
}

function pick(row) {
  view.picked = row;
  tint();
  for (const line of byId("rows").children) line.classList.toggle("picked", row !== null && line.dataset.number === String(row.number));
  const { stage } = view;
  if (stage && row) {
    stage.eye.target = [...row.place];
    stage.eye.distance = Math.max(6 * row.size, 0.04 * stage.data.reach);
  } else if (stage) Object.assign(stage.eye, stage.home, { target: [...stage.home.target] });
  byId("told").textContent = row ? words(row) : summary();
}

function words(row) {
  const [a, b, place] = [table.parts[row.a], table.parts[row.b], row.place.map((x) => Number(x.toPrecision(6))).join(", ")];
  const twice = row.twice ? ", and are the same part in the same place" : "";
  const how = [
    `${a} and ${b} overlap, at least ${length(row.depth)} deep${twice}`,
    `${a} is inside ${b}, at least ${length(row.depth)} deep`,
    `${a} and ${b} touch`,
    `${a} and ${b} are ${length(row.gap)} apart`,
  ][row.kind];
  return `${how}, near (${place})`;
}

// ---- The table

const keys = {
  kind: (row) => row.kind,
  a: (row) => table.parts[row.a],
  b: (row) => table.parts[row.b],
  gap: (row) => row.gap,
  depth: (row) => row.depth,
};

function wanted() {
  const text = byId("search").value.trim().toLowerCase();
  const kinds = new Set([...document.querySelectorAll("#kinds input:checked")].map((box) => Number(box.value)));
  const named = (part) => table.parts[part].toLowerCase().includes(text);
  const found = rows.filter((row) => kinds.has(row.kind) && (!text || named(row.a) || named(row.b)));
  if (!view.sorted) return found;
  const key = keys[view.sorted], sign = view.down ? -1 : 1;
  const order = (x, y) => (typeof x === "string" ? x.localeCompare(y, undefined, { numeric: true }) : x - y);
  return found.sort((x, y) => sign * order(key(x), key(y)) || x.number - y.number);
}

function cell(text, style) {
  const made = document.createElement("td");
  made.textContent = text;
  if (style) made.className = style;
  return made;
}

function line(row) {
  const made = document.createElement("tr"), kind = cell(table.kinds[row.kind] + (row.twice ? ", twice" : "")), dot = document.createElement("span");
  dot.className = "kind";
  dot.style.background = TINTS[row.kind];
  kind.prepend(dot);
  made.tabIndex = 0;
  made.dataset.number = row.number;
  made.classList.toggle("picked", view.picked === row);
  made.append(kind, cell(table.parts[row.a], "name"), cell(table.parts[row.b], "name"),
    cell(row.kind === 3 || row.kind === 1 ? length(row.gap) : "", "number"),
    cell(row.depth ? length(row.depth) : "", "number"),
    cell(row.place.map((x) => Number(x.toPrecision(5))).join(", "), "place"));
  return made;
}

function list() {
  const found = wanted();
  byId("rows").replaceChildren(...found.slice(0, view.many).map(line));
  byId("more").hidden = found.length <= view.many;
  byId("more").textContent = `Show more of ${found.length}`;
  for (const heading of document.querySelectorAll("#list th[data-key]")) {
    if (heading.dataset.key === view.sorted) heading.setAttribute("aria-sort", view.down ? "descending" : "ascending");
    else heading.removeAttribute("aria-sort");
  }
  if (!view.picked) byId("told").textContent = summary(found.length);
}

const summary = (many = rows.length) => `${many} of ${rows.length} clash${rows.length === 1 ? "" : "es"}. Click a row to go there; drag the view to turn it.`;

function countParts() {
  const many = new Map();
  for (const row of rows) for (const part of [row.a, row.b]) many.set(part, (many.get(part) || 0) + 1);
  const sorted = [...many].sort((x, y) => y[1] - x[1] || x[0] - y[0]).slice(0, 200);
  byId("counts").querySelector("tbody").replaceChildren(...sorted.map(([part, count]) => {
    const made = document.createElement("tr");
    made.append(cell(table.parts[part]), cell(String(count), "number"));
    made.addEventListener("click", () => { byId("search").value = table.parts[part]; fresh(); });
    return made;
  }));
}

function fresh() {
  view.many = PAGE;
  list();
}

function boxes() {
  byId("kinds").replaceChildren(...table.kinds.flatMap((name, kind) => {
    const many = rows.filter((row) => row.kind === kind).length;
    if (!many) return [];
    const made = document.createElement("label"), box = document.createElement("input");
    Object.assign(box, { type: "checkbox", checked: true, value: String(kind) });
    box.addEventListener("change", fresh);
    made.append(box, `${name} ${many}`);
    return [made];
  }));
}

// ---- Hands

function picked(event) {
  const row = event.target.closest("tr");
  if (row) pick(rows[Number(row.dataset.number)]);
}

function step(event) {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key], here = event.target.closest("tr");
  if (event.key === "Enter") return picked(event);
  if (!way || !here) return;
  const next = way > 0 ? here.nextElementSibling : here.previousElementSibling;
  event.preventDefault();
  if (next) { next.focus(); pick(rows[Number(next.dataset.number)]); }
}

byId("search").addEventListener("input", fresh);
byId("rows").addEventListener("click", picked);
byId("rows").addEventListener("keydown", step);
byId("more").addEventListener("click", () => { view.many += 4 * PAGE; list(); });
byId("whole").addEventListener("click", () => pick(null));
byId("alone").addEventListener("change", tint);
for (const heading of document.querySelectorAll("#list th[data-key]"))
  heading.addEventListener("click", () => {
    view.down = view.sorted === heading.dataset.key && !view.down;
    view.sorted = heading.dataset.key;
    fresh();
  });
boxes();
countParts();
list();

const figure = document.querySelector(".scene");
if (!gl) figure.classList.add("fault");
else {
  prepare();
  const stage = new ClashStage(figure, new ClashScene(JSON.parse(figure.querySelector("script").textContent)));
  view.stage = stage;
  stage.listen();
  stage.fit();
  stage.visible = true;
  tint();
  const number = /clash=(\d+)/.exec(location.hash); // #clash=0 opens at the first
  if (number && rows[Number(number[1])]) pick(rows[Number(number[1])]);
  const turn = (now) => { stage.step(now); requestAnimationFrame(turn); };
  requestAnimationFrame(turn);
}
