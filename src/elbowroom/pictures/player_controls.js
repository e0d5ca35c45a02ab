// ---- A stage: a canvas with a scene on it, and what is below it to play it with

class Stage {
  constructor(element, scene) {
    this.element = element;
    this.canvas = element.querySelector("canvas");
    this.paper = this.canvas.getContext("2d");
    this.scene = scene;
    this.data = scene.data;
    this.fills = element.classList.contains("fill"); // the whole window, rather than a place on a page
    const { azimuth, elevation, reach, centre } = this.data;
    this.eye = { azimuth, elevation, distance: 2.2 * reach, target: [...centre] };
    Object.assign(this, { time: 0, playing: false, visible: true, last: null, stale: true, touched: false });
    this.fingers = new Map();
  }

  control(name) {
    return this.element.querySelector(`[name="${name}"]`);
  }

  shown(layer) {
    const box = layer ? this.control(layer) : null;
    return box ? box.checked : !layer;
  }

  // Half the height of what is seen at a distance of 1; a narrow canvas sees no less of the width.
  tangent(aspect) {
    return 0.45 * Math.max(1, 0.9 / aspect);
  }

  // As near as all corners of the scene can be seen from, with a margin.
  fit() {
    const aspect = this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1), { matrix: m } = this.view();
    const high = 0.92 * this.tangent(aspect), wide = high * aspect, { corners: all } = this.data;
    this.eye.distance = 0;
    for (let k = 0; k < all.length; k += 3) {
      const p = all.slice(k, k + 3).map((x, i) => x - this.eye.target[i]);
      const [x, y, z] = [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2]);
      this.eye.distance = Math.max(this.eye.distance, z + Math.abs(x) / wide, z + Math.abs(y) / high);
    }
    this.home = { ...this.eye, target: [...this.eye.target] };
  }

  // Where a view that follows looks now, and how near: a point and a share of the distance.
  sight() {
    const { sights, frames, centre } = this.data;
    if (!sights.length) return { middle: centre, share: 1 };
    const at = this.at(), k = Math.min(Math.floor(at), frames - 1), part = at - k;
    const next = sights[Math.min(k + 1, frames - 1)], now = sights[k].map((x, i) => (1 - part) * x + part * next[i]);
    return { middle: now.slice(0, 3), share: now[3] };
  }

  view() {
    const { azimuth, elevation } = this.eye, { middle, share } = this.sight();
    const target = this.eye.target.map((x, k) => x + middle[k] - this.data.centre[k]), distance = share * this.eye.distance;
    const [ca, sa] = [Math.cos(azimuth), Math.sin(azimuth)], [ce, se] = [Math.cos(elevation), Math.sin(elevation)];
    const back = [ce * ca, ce * sa, se], right = [-sa, ca, 0], up = cross(back, right);
    const rows = [right, up, back].flatMap((axis) => [...axis, -dot(axis, target)]);
    rows[11] -= distance;
    return { matrix: fromRows(rows), right, up };
  }

  draw() {
    const ratio = window.devicePixelRatio || 1, { canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(Math.round(side * ratio), 1));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    if (glass.width < width) glass.width = width;
    if (glass.height < height) glass.height = height;
    gl.viewport(0, 0, width, height);
    const page = getComputedStyle(this.element).getPropertyValue("--stage").trim();
    gl.clearColor(...rgb(page), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const aspect = width / height, span = this.eye.distance + 4 * this.data.reach;
    const projection = perspective(this.tangent(aspect), aspect, 1e-3 * span, span);
    this.scene.draw(this.at(), this.view().matrix, projection, (layer) => this.shown(layer));
    this.paper.drawImage(glass, 0, glass.height - height, width, height, 0, 0, width, height);
    canvas.dataset.drawn = String(Number(canvas.dataset.drawn || 0) + 1);
  }

  // ---- Time

  // In frames; whole ones in a scene that jumps from one to the next.
  at() {
    const frame = this.time * (this.data.frames - 1);
    return this.data.blend ? frame : Math.round(frame);
  }

  words() {
    const { frames, marks, captions } = this.data, frame = this.time * (frames - 1);
    if (captions.length) return captions[Math.floor(this.at() + 1e-6)];
    const after = marks.findIndex((mark, k) => k > 0 && frame <= mark + 1e-9);
    const k = after < 0 ? marks.length - 1 : after;
    const share = (frame - marks[k - 1]) / Math.max(marks[k] - marks[k - 1], 1e-9);
    return `motion ${k} of ${marks.length - 1}, ${Math.round(100 * share)} %`;
  }

  tell() {
    if (this.data.frames < 2) return;
    this.control("time").value = String(this.time);
    this.control("where").textContent = this.words();
    this.control("play").textContent = this.playing ? "Pause" : "Play";
  }

  step(now) {
    if (!this.visible) return;
    if (this.playing) {
      const seconds = this.last === null ? 0 : (now - this.last) / 1000, again = this.control("loop");
      this.time += (seconds * Number(this.control("speed").value)) / this.data.seconds;
      if (this.time >= 1) [this.time, this.playing] = !again || again.checked ? [this.time % 1, true] : [1, false];
      this.tell();
    }
    this.last = this.playing ? now : null;
    if (!this.stale && this.at() === this.drawnAt) return;
    this.stale = false;
    this.drawnAt = this.at();
    this.tell();
    this.draw();
  }

  set(value) {
    this.playing = false;
    this.time = Math.min(Math.max(value, 0), 1);
    this.stale = this.touched = true;
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.time >= 1) this.time = 0;
    this.stale = this.touched = true;
    this.tell();
  }

  // ---- Hands: drag turns, with shift or the right button it shifts; the wheel or two fingers come nearer.

  dragged(event) {
    const { fingers, eye } = this, before = fingers.get(event.pointerId);
    if (!before) return;
    const gap = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
    const was = fingers.size === 2 ? gap() : 0, [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) eye.distance *= was / Math.max(gap(), 1);
    else if (event.shiftKey || event.buttons === 2) this.shift(dx, dy);
    else {
      eye.azimuth -= 0.008 * dx;
      eye.elevation = Math.min(Math.max(eye.elevation + 0.008 * dy, -1.57), 1.57);
    }
    this.stale = true;
  }

  shift(dx, dy) {
    const { right, up } = this.view(), unit = (0.9 * this.eye.distance) / this.canvas.clientHeight;
    this.eye.target = this.eye.target.map((x, k) => x - unit * dx * right[k] + unit * dy * up[k]);
  }

  // On a page of text the wheel scrolls it, until the scene is clicked.
  wheel(event) {
    if (!this.fills && document.activeElement !== this.canvas) return;
    event.preventDefault();
    this.eye.distance *= Math.exp(0.001 * event.deltaY);
    this.stale = true;
  }

  key(event) {
    if (["SELECT", "INPUT"].includes(event.target.tagName) || this.data.frames < 2) return;
    if (event.key === " " && event.target.tagName !== "BUTTON") { event.preventDefault(); this.toggle(); }
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way) { event.preventDefault(); this.set(this.time + way / (this.data.frames - 1)); }
  }

  listen() {
    const { canvas, fingers } = this, refresh = () => { this.stale = true; };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    canvas.addEventListener("pointermove", (event) => this.dragged(event));
    for (const name of ["pointerup", "pointercancel"])
      canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => { Object.assign(this.eye, this.home, { target: [...this.home.target] }); refresh(); });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    for (const box of this.element.querySelectorAll("input[type=checkbox]")) box.addEventListener("change", refresh);
    (this.fills ? document : canvas).addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(refresh).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
    if (this.data.frames < 2) return;
    this.control("play").addEventListener("click", () => this.toggle());
    this.control("time").addEventListener("input", () => this.set(Number(this.control("time").value)));
  }

  // Scenes wait until they are seen, and then play unless motion is unwelcome or somebody has taken over.
  watch() {
    const begin = this.data.frames > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.visible = false;
    new IntersectionObserver((entries) => {
      this.visible = entries[entries.length - 1].isIntersecting;
      this.stale = true;
      if (this.visible && begin && !this.touched) this.playing = true;
      this.last = null;
    }, { threshold: 0.15 }).observe(this.element);
  }
}
