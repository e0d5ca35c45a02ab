// ---- What is shown, and when

const poses = floats(data.poses), trail = floats(data.trail);
const eye = { azimuth: data.azimuth, elevation: 0.42, distance: 2.2 * data.reach, target: [...data.centre] };
const home = { ...eye, target: [...data.centre] };
let time = 0, playing = false, last = null, stale = true;

// The pose of a moving part at a time in frames; between two frames, which are near, its columns are blended.
function placed(mover, at) {
  const first = Math.min(Math.floor(at), data.frames - 1), second = Math.min(first + 1, data.frames - 1);
  const share = at - first, rows = new Float32Array(12);
  const a = 12 * (first * data.movers + mover), b = 12 * (second * data.movers + mover);
  for (let k = 0; k < 12; k++) rows[k] = (1 - share) * poses[a + k] + share * poses[b + k];
  return fromRows(rows);
}

// Half the height of what is seen at a distance of 1; a narrow canvas sees no less of the width.
const tangent = (aspect) => 0.45 * Math.max(1, 0.9 / aspect);

// As near as all corners of the scene can be seen from, with a margin.
function fit() {
  const aspect = canvas.clientWidth / Math.max(canvas.clientHeight, 1), { matrix: m } = view();
  const high = 0.92 * tangent(aspect), wide = high * aspect;
  eye.distance = 0;
  for (let k = 0; k < data.corners.length; k += 3) {
    const p = data.corners.slice(k, k + 3).map((x, i) => x - eye.target[i]);
    const [x, y, z] = [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2]);
    eye.distance = Math.max(eye.distance, z + Math.abs(x) / wide, z + Math.abs(y) / high);
  }
  home.distance = eye.distance;
}

function view() {
  const [ca, sa] = [Math.cos(eye.azimuth), Math.sin(eye.azimuth)];
  const [ce, se] = [Math.cos(eye.elevation), Math.sin(eye.elevation)];
  const back = [ce * ca, ce * sa, se], right = [-sa, ca, 0], up = cross(back, right);
  const rows = [right, up, back].flatMap((axis) => [...axis, -dot(axis, eye.target)]);
  rows[11] -= eye.distance;
  return { matrix: fromRows(rows), right, up };
}

function draw() {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  gl.viewport(0, 0, canvas.width, canvas.height);
  const page = getComputedStyle(document.body).getPropertyValue("--page").trim();
  gl.clearColor(...rgb(page), 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  const aspect = canvas.width / Math.max(canvas.height, 1), span = eye.distance + 4 * data.reach;
  gl.uniformMatrix4fv(places.view, false, view().matrix);
  gl.uniformMatrix4fv(places.projection, false, perspective(tangent(aspect), aspect, 1e-3 * span, span));
  const at = time * (data.frames - 1), through = $("through").checked;
  const still = data.bodies.filter((body) => body.mover < 0), moving = data.bodies.filter((body) => body.mover >= 0);
  for (const body of through ? moving : data.bodies) paint({ body, alpha: 1, at });
  if (line.count && $("trail").checked) paintTrail(at);
  for (const end of $("ends").checked ? [0, data.frames - 1] : [])
    paintThin(moving.map((body) => ({ body, alpha: 0.3, at: end })));
  if (through) paintThin(still.map((body) => ({ body, alpha: 0.25, at })));
}

// Translucent bodies show their nearest surface once: first their depth alone, then their colour.
function paintThin(items) {
  gl.colorMask(false, false, false, false);
  items.forEach(paint);
  gl.colorMask(true, true, true, true);
  gl.enable(gl.BLEND);
  items.forEach(paint);
  gl.disable(gl.BLEND);
}

function paint({ body, alpha, at }) {
  const own = fromRows(body.matrix);
  gl.uniformMatrix4fv(places.model, false, body.mover < 0 ? own : multiply(placed(body.mover, at), own));
  gl.uniform3fv(places.size, body.size);
  gl.uniform1i(places.flat_colour, 0);
  gl.uniform4fv(places.colour, [...rgb(body.colour), alpha]);
  const { surface, edges } = shapes[body.shape];
  gl.enable(gl.POLYGON_OFFSET_FILL);
  gl.bindVertexArray(surface.array);
  gl.drawArrays(gl.TRIANGLES, 0, surface.count);
  gl.disable(gl.POLYGON_OFFSET_FILL);
  if (!edges.count) return;
  gl.uniform1i(places.flat_colour, 1);
  gl.uniform4fv(places.colour, [...rgb(body.colour).map((x) => 0.5 * x), alpha]);
  gl.bindVertexArray(edges.array);
  gl.drawArrays(gl.LINES, 0, edges.count);
}

function paintTrail(at) {
  gl.uniformMatrix4fv(places.model, false, fromRows([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]));
  gl.uniform3fv(places.size, [1, 1, 1]);
  gl.uniform1i(places.flat_colour, 1);
  gl.bindVertexArray(line.array);
  const done = Math.max(Math.floor(at) + 1, 1);
  for (const [colour, first, count] of [["#9aa1a8", done - 1, line.count - done + 1], ["#f0973a", 0, done]]) {
    gl.uniform4fv(places.colour, [...rgb(colour), 1]);
    gl.drawArrays(gl.LINE_STRIP, first, count);
  }
}

// ---- Time

function show() {
  const frame = time * (data.frames - 1), marks = data.marks;
  const after = marks.findIndex((mark, k) => k > 0 && frame <= mark + 1e-9);
  const k = after < 0 ? marks.length - 1 : after;
  const share = (frame - marks[k - 1]) / Math.max(marks[k] - marks[k - 1], 1e-9);
  $("slider").value = String(time);
  $("where").textContent = `motion ${k} of ${marks.length - 1}, ${Math.round(100 * share)} %`;
  $("play").textContent = playing ? "Pause" : "Play";
}

function step(now) {
  if (playing) {
    const seconds = last === null ? 0 : (now - last) / 1000;
    time += (seconds * Number($("speed").value)) / data.seconds;
    if (time >= 1) [time, playing] = $("again").checked ? [time % 1, true] : [1, false];
    stale = true;
  }
  last = playing ? now : null;
  if (stale) {
    stale = false;
    show();
    draw();
  }
  requestAnimationFrame(step);
}

function set(value) {
  time = Math.min(Math.max(value, 0), 1);
  stale = true;
}

function toggle() {
  playing = !playing;
  if (playing && time >= 1) time = 0;
  stale = true;
}

// ---- Hands: drag turns, with shift or the right button it shifts; the wheel or two fingers come nearer.

const fingers = new Map();

function dragged(event) {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const gap = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
  const was = fingers.size === 2 ? gap() : 0, [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (fingers.size === 2) eye.distance *= was / Math.max(gap(), 1);
  else if (event.shiftKey || event.buttons === 2) shift(dx, dy);
  else {
    eye.azimuth -= 0.008 * dx;
    eye.elevation = Math.min(Math.max(eye.elevation + 0.008 * dy, -1.57), 1.57);
  }
  stale = true;
}

function shift(dx, dy) {
  const { right, up } = view(), unit = (0.9 * eye.distance) / canvas.clientHeight;
  eye.target = eye.target.map((x, k) => x - unit * dx * right[k] + unit * dy * up[k]);
}

function listen() {
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener("pointermove", dragged);
  for (const name of ["pointerup", "pointercancel"])
    canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("dblclick", () => { Object.assign(eye, home, { target: [...home.target] }); stale = true; });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    eye.distance *= Math.exp(0.001 * event.deltaY);
    stale = true;
  }, { passive: false });
  $("play").addEventListener("click", toggle);
  $("slider").addEventListener("input", () => { playing = false; set(Number($("slider").value)); });
  for (const id of ["ends", "trail", "through"]) $(id).addEventListener("change", () => { stale = true; });
  window.addEventListener("resize", () => { stale = true; });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { stale = true; });
  document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "SELECT" || event.target.tagName === "INPUT") return;
    if (event.key === " " && event.target.id !== "play") { event.preventDefault(); toggle(); }
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way) { playing = false; set(time + way / (data.frames - 1)); }
  });
}

// ---- Begin

let places, shapes, line;
if (!gl) {
  $("fault").hidden = false;
  for (const useless of [canvas, document.querySelector("footer")]) useless.style.display = "none";
} else {
  places = program();
  shapes = data.shapes.map((shape) => ({
    surface: upload(corners(floats(shape.points), new Uint32Array(bytes(shape.faces))), [3, 3]),
    edges: upload(floats(shape.edges), [3]),
  }));
  line = upload(trail, [3]);
  gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  gl.polygonOffset(1, 1);
  $("through").checked = data.through;
  listen();
  fit();
  const wanted = /at=([\d.]+)/.exec(location.hash); // #at=0.5 opens the page in the middle of the motion
  if (wanted) set(Number(wanted[1]));
  else playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  requestAnimationFrame(step);
}
