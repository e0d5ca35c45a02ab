// ---- A scene: what is drawn of it at a time, which is counted in frames

const RED = [0.88, 0.14, 0.37], NOWHERE = fromRows([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);

class Scene {
  constructor(data) {
    this.data = data;
    this.poses = floats(data.poses);
    this.shapes = data.shapes.map((shape) => ({
      surface: upload(corners(floats(shape.points), new Uint32Array(bytes(shape.faces))), [3, 3]),
      edges: upload(floats(shape.edges), [3]),
    }));
    this.trail = upload(floats(data.trail), [3]);
    this.balls = data.balls.map((balls) => this.filled(balls));
    this.lines = data.lines.map((lines) => this.cut(lines));
  }

  filled(balls) {
    const colours = new Uint8Array(bytes(balls.colours)), count = colours.length / 3, all = places(balls.places);
    const still = all.length === 3 * count, now = all.slice(0, 3 * count);
    return { ...balls, colours, count, all, still, now, where: held(now), frame: -1,
      radii: floats(balls.radii), sizes: held(floats(balls.radii).slice(0, count)), tints: held(colours) };
  }

  cut(lines) {
    const firsts = lines.counts.reduce((sums, count) => [...sums, sums[sums.length - 1] + count], [0]);
    return { ...lines, firsts, buffer: held(floats(lines.points)), tint: rgb(lines.colour) };
  }

  // The pose of a moving part; between two frames, which are near, its columns are blended.
  placed(mover, at) {
    const { frames, movers } = this.data, first = Math.min(Math.floor(at), frames - 1);
    const second = Math.min(first + 1, frames - 1), share = at - first, rows = new Float32Array(12);
    const a = 12 * (first * movers + mover), b = 12 * (second * movers + mover);
    for (let k = 0; k < 12; k++) rows[k] = (1 - share) * this.poses[a + k] + share * this.poses[b + k];
    return fromRows(rows);
  }

  draw(at, eye, projection, shown) {
    const { bodies } = this.data;
    for (const tool of [tools.faces, tools.balls, tools.rods]) {
      gl.useProgram(tool.made);
      gl.uniformMatrix4fv(tool.view, false, eye);
      gl.uniformMatrix4fv(tool.projection, false, projection);
    }
    const seen = bodies.filter((body) => shown(body.layer)), through = shown("see through");
    const thin = (body) => body.alpha < 1 || (through && body.mover < 0);
    for (const body of seen) if (!thin(body)) this.paint({ body, alpha: 1, at });
    for (const balls of this.balls) if (shown(balls.layer) && balls.alpha === 1) this.paintBalls(balls, at);
    for (const lines of this.lines) if (shown(lines.layer)) this.paintLines(lines, at);
    if (this.trail.count && shown("trail")) this.paintTrail(at);
    for (const end of shown("start and goal") && this.data.ends ? [0, this.data.frames - 1] : [])
      this.paintThin(seen.filter((body) => body.mover >= 0).map((body) => ({ body, alpha: 0.3, at: end })));
    this.paintThin(seen.filter(thin).map((body) => ({ body, alpha: body.alpha < 1 ? body.alpha : 0.25, at })));
    for (const balls of this.balls) if (shown(balls.layer) && balls.alpha < 1) this.paintThinBalls(balls, at);
  }

  // Translucent things show their nearest surface once: first their depth alone, then their colour.
  thinly(paint) {
    gl.colorMask(false, false, false, false);
    paint();
    gl.colorMask(true, true, true, true);
    gl.enable(gl.BLEND);
    paint();
    gl.disable(gl.BLEND);
  }

  paintThin(items) {
    if (items.length) this.thinly(() => items.forEach((item) => this.paint(item)));
  }

  paintThinBalls(balls, at) {
    this.thinly(() => this.paintBalls(balls, at));
  }

  paint({ body, alpha, at }) {
    const own = fromRows(body.matrix), tool = tools.faces, { surface, edges } = this.shapes[body.shape];
    const red = body.red[Math.floor(at + 1e-6)] === "1", tint = red ? RED : rgb(body.colour);
    gl.useProgram(tool.made);
    gl.uniformMatrix4fv(tool.model, false, body.mover < 0 ? own : multiply(this.placed(body.mover, at), own));
    gl.uniform3fv(tool.size, body.size);
    gl.uniform1i(tool.flat_colour, 0);
    gl.uniform4fv(tool.colour, [...tint, alpha]);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.bindVertexArray(surface.array);
    gl.drawArrays(gl.TRIANGLES, 0, surface.count);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    if (!edges.count) return;
    gl.uniform1i(tool.flat_colour, 1);
    gl.uniform4fv(tool.colour, [...tint.map((x) => 0.5 * x), alpha]);
    gl.bindVertexArray(edges.array);
    gl.drawArrays(gl.LINES, 0, edges.count);
  }

  paintBalls(balls, at) {
    this.move(balls, at);
    this.spheres(balls.count, balls.alpha, balls.where, balls.sizes, balls.tints);
    if (balls.bonds > 0 && balls.count > 1) {
      const tube = { start: 0, end: 12, stride: 12, tints: balls.tints, type: gl.UNSIGNED_BYTE };
      this.rods(balls.count - 1, balls.bonds, balls.where, tube);
    }
  }

  // Where the balls are, how large, and which of them are red, if that is not what was drawn last.
  move(balls, at) {
    const first = Math.floor(at + 1e-6), share = Math.max(at - first, 0), size = 3 * balls.count;
    if (!balls.still && balls.at !== at) {
      const a = first * size, b = Math.min(first + 1, this.data.frames - 1) * size;
      for (let k = 0; k < size; k++) balls.now[k] = (1 - share) * balls.all[a + k] + share * balls.all[b + k];
      gl.bindBuffer(gl.ARRAY_BUFFER, balls.where);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, balls.now);
      balls.at = at;
    }
    if (balls.radii.length > balls.count && balls.frame !== first) {
      gl.bindBuffer(gl.ARRAY_BUFFER, balls.sizes);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, balls.radii.subarray(first * balls.count, (first + 1) * balls.count));
    }
    if (balls.red.length && balls.frame !== first) {
      const tints = balls.colours.slice();
      for (const k of balls.red[first]) tints.set(RED.map((x) => 255 * x), 3 * k);
      gl.bindBuffer(gl.ARRAY_BUFFER, balls.tints);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, tints);
    }
    balls.frame = first;
  }

  spheres(count, alpha, where, sizes, tints, offset = 0) {
    gl.useProgram(tools.balls.made);
    gl.uniform1f(tools.balls.alpha, alpha);
    gl.bindVertexArray(tools.square.array);
    each(1, 3, where, { offset });
    each(2, 1, sizes);
    each(3, 3, tints, { type: gl.UNSIGNED_BYTE });
    if (alpha === 1) gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE); // which smooths the rims
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
  }

  rods(count, radius, where, { start, end, stride, tints, type }) {
    gl.useProgram(tools.rods.made);
    gl.uniform1f(tools.rods.radius, radius);
    gl.bindVertexArray(tools.rod.array);
    each(1, 3, where, { offset: start, stride });
    each(2, 3, where, { offset: end, stride });
    each(3, 3, tints, { type });
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, tools.rod.count, count);
  }

  // Segments of a frame: rods with round ends, or thin lines where they have no radius.
  paintLines(lines, at) {
    const k = lines.counts.length === 1 ? 0 : Math.floor(at + 1e-6), count = lines.counts[k];
    const first = 24 * lines.firsts[k];
    if (count === 0) return;
    if (lines.radius > 0) {
      this.rods(count, lines.radius, lines.buffer, { start: first, end: first + 12, stride: 24, tints: lines.tint });
      this.spheres(2 * count, 1, lines.buffer, [lines.ends], lines.tint, first);
    } else {
      this.flat(NOWHERE, lines.tint);
      gl.bindVertexArray(tools.line.array);
      gl.bindBuffer(gl.ARRAY_BUFFER, lines.buffer);
      gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, first);
      gl.drawArrays(gl.LINES, 0, 2 * count);
    }
  }

  flat(model, tint) {
    gl.useProgram(tools.faces.made);
    gl.uniformMatrix4fv(tools.faces.model, false, model);
    gl.uniform3fv(tools.faces.size, [1, 1, 1]);
    gl.uniform1i(tools.faces.flat_colour, 1);
    gl.uniform4fv(tools.faces.colour, [...tint, 1]);
  }

  paintTrail(at) {
    const done = Math.max(Math.floor(at) + 1, 1), { array, count } = this.trail;
    for (const [colour, first, many] of [["#9aa1a8", done - 1, count - done + 1], ["#f0973a", 0, done]]) {
      this.flat(NOWHERE, rgb(colour));
      gl.bindVertexArray(array);
      gl.drawArrays(gl.LINE_STRIP, first, many);
    }
  }
}
