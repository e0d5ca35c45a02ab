"use strict";
// Draws recorded scenes: shaded triangles, balls, rods and lines. Data comes from the page, nothing from elsewhere.
// All scenes of a page share one WebGL canvas that is never shown: browsers allow only a few of them. What was
// drawn on it is copied to the scene's own canvas.

const glass = document.createElement("canvas");
const gl = glass.getContext("webgl2", { antialias: true, alpha: false });

// ---- Matrices: 16 numbers, column after column, as WebGL takes them; the data has rows of 3 x 4.

const multiply = (a, b) => {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++)
    for (let r = 0; r < 4; r++)
      for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
};
const fromRows = (m, at = 0) => {
  const out = new Float32Array(16);
  for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) out[4 * c + r] = m[at + 4 * r + c];
  out[15] = 1;
  return out;
};
const perspective = (tangent, aspect, near, far) => {
  const out = new Float32Array(16);
  out[0] = 1 / (tangent * aspect);
  out[5] = 1 / tangent;
  out[10] = (far + near) / (near - far);
  out[11] = -1;
  out[14] = (2 * far * near) / (near - far);
  return out;
};
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// ---- Numbers, which come as text

const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
const floats = (text) => new Float32Array(bytes(text));
const rgb = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);

// Places as 16-bit numbers between two corners.
function places({ low, step, data }) {
  const whole = new Uint16Array(bytes(data)), out = new Float32Array(whole.length);
  for (let k = 0; k < whole.length; k++) out[k] = low[k % 3] + step[k % 3] * whole[k];
  return out;
}

// ---- Shapes

const SMOOTH = Math.cos(0.6); // faces that meet at less than this angle are shaded as one surface

// Three corners and three normals for every face; a corner's normal is the mean over its smooth neighbours.
function corners(points, faces) {
  const normals = [], around = new Map();
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => points.subarray(3 * faces[f + k], 3 * faces[f + k] + 3));
    const n = cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
    const length = Math.hypot(...n);
    const unit = length > 0 ? n.map((x) => x / length) : [0, 0, 0];
    normals.push({ unit, weighted: n });
    for (let k = 0; k < 3; k++) {
      const corner = faces[f + k];
      if (!around.has(corner)) around.set(corner, []);
      around.get(corner).push(f / 3);
    }
  }
  const out = new Float32Array(6 * faces.length);
  faces.forEach((corner, at) => {
    const own = normals[Math.floor(at / 3)].unit, sum = [0, 0, 0];
    for (const f of around.get(corner))
      if (dot(normals[f].unit, own) > SMOOTH) for (let k = 0; k < 3; k++) sum[k] += normals[f].weighted[k];
    const length = Math.hypot(...sum) || 1;
    for (let k = 0; k < 3; k++) {
      out[6 * at + k] = points[3 * corner + k];
      out[6 * at + 3 + k] = sum[k] / length;
    }
  });
  return out;
}

function held(values) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
  return buffer;
}

function upload(values, sizes) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  held(values);
  const stride = sizes.reduce((a, b) => a + b);
  let offset = 0;
  sizes.forEach((size, k) => {
    gl.enableVertexAttribArray(k);
    gl.vertexAttribPointer(k, size, gl.FLOAT, false, 4 * stride, 4 * offset);
    offset += size;
  });
  return { array, count: values.length / stride };
}

// One value for every ball or rod, from a buffer; a number instead of a buffer is the same for all.
function each(place, size, buffer, { type = gl.FLOAT, offset = 0, stride = 0 } = {}) {
  if (Array.isArray(buffer)) {
    gl.disableVertexAttribArray(place);
    return size === 1 ? gl.vertexAttrib1f(place, buffer[0]) : gl.vertexAttrib3f(place, ...buffer);
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, size, type, type === gl.UNSIGNED_BYTE, stride, offset);
  gl.vertexAttribDivisor(place, 1);
}
