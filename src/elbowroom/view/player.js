"use strict";
// Plays a motion: bodies as shaded triangles, some moving. Data comes from the page, nothing from elsewhere.

const data = JSON.parse(document.getElementById("motion").textContent);
const canvas = document.querySelector("canvas");
const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
const $ = (id) => document.getElementById(id);

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

// ---- Shapes

const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
const floats = (text) => new Float32Array(bytes(text));
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

function upload(values, sizes) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
  const stride = sizes.reduce((a, b) => a + b);
  let offset = 0;
  sizes.forEach((size, k) => {
    gl.enableVertexAttribArray(k);
    gl.vertexAttribPointer(k, size, gl.FLOAT, false, 4 * stride, 4 * offset);
    offset += size;
  });
  return { array, count: values.length / stride };
}

// ---- Shaders: light from above left, a weak fill from the viewer, a soft highlight; both sides of a face.

const VERTEX = `#version 300 es
layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;
uniform mat4 view, projection, model;
uniform vec3 size;
out vec3 facing;
void main() {
  facing = mat3(view) * mat3(model) * (normal / size);
  gl_Position = projection * view * model * vec4(point * size, 1.0);
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 facing;
uniform vec4 colour;
uniform bool flat_colour;
out vec4 shown;
void main() {
  if (flat_colour) { shown = colour; return; }
  vec3 n = normalize(facing);
  n = n.z < 0.0 ? -n : n;
  float strength = 0.38 + 0.52 * max(dot(n, vec3(-0.448, 0.647, 0.617)), 0.0) + 0.18 * n.z;
  float shine = 0.3 * pow(max(dot(n, vec3(-0.249, 0.360, 0.899)), 0.0), 24.0);
  shown = vec4(strength * colour.rgb + shine, colour.a);
}`;

function program() {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  gl.useProgram(made);
  const names = ["view", "projection", "model", "size", "colour", "flat_colour"];
  return Object.fromEntries(names.map((name) => [name, gl.getUniformLocation(made, name)]));
}

const rgb = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
