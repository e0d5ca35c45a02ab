// ---- Shaders: light from above left, a weak fill from the viewer, a soft highlight; both sides of a face.

const LIGHT = `
vec3 lit(vec3 n, vec3 colour) {
  float strength = 0.38 + 0.52 * max(dot(n, vec3(-0.448, 0.647, 0.617)), 0.0) + 0.18 * n.z;
  float shine = 0.3 * pow(max(dot(n, vec3(-0.249, 0.360, 0.899)), 0.0), 24.0);
  return strength * colour + shine;
}`;

const FACE_VERTEX = `#version 300 es
layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;
uniform mat4 view, projection, model;
uniform vec3 size;
out vec3 facing;
void main() {
  facing = mat3(view) * mat3(model) * (normal / size);
  gl_Position = projection * view * model * vec4(point * size, 1.0);
}`;
const FACE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 facing;
uniform vec4 colour;
uniform bool flat_colour;
out vec4 shown;
${LIGHT}
void main() {
  if (flat_colour) { shown = colour; return; }
  vec3 n = normalize(facing);
  shown = vec4(lit(n.z < 0.0 ? -n : n, colour.rgb), colour.a);
}`;

// A ball is a square that faces the viewer; each of its points finds where its ray meets the ball.
const BALL_VERTEX = `#version 300 es
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 middle;
layout(location = 2) in float radius;
layout(location = 3) in vec3 tint;
uniform mat4 view, projection;
out vec3 ray;
flat out vec3 centre, colour;
flat out float reach;
void main() {
  centre = (view * vec4(middle, 1.0)).xyz;
  reach = radius;
  colour = tint;
  float away = max(dot(centre, centre), 1.01 * radius * radius);
  float half_side = 1.06 * radius / sqrt(1.0 - radius * radius / away);
  vec3 towards = normalize(centre), right = normalize(cross(towards, vec3(0.0, 1.0, 0.0)));
  ray = centre + half_side * (corner.x * right + corner.y * cross(right, towards));
  gl_Position = projection * vec4(ray, 1.0);
}`;
const BALL_FRAGMENT = `#version 300 es
precision highp float;
in vec3 ray;
flat in vec3 centre, colour;
flat in float reach;
uniform mat4 projection;
uniform float alpha;
out vec4 shown;
${LIGHT}
void main() {
  vec3 direction = normalize(ray);
  float along = dot(direction, centre);
  vec3 aside = (centre - along * direction) / reach;
  float inside = 1.0 - dot(aside, aside);
  float cover = clamp(0.5 + inside / max(fwidth(inside), 1e-9), 0.0, 1.0);
  if (alpha < 1.0 ? inside < 0.0 : cover <= 0.0) discard;
  vec3 point = direction * (along - reach * sqrt(max(inside, 0.0)));
  vec4 clip = projection * vec4(point, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  shown = vec4(lit((point - centre) / reach, colour), alpha < 1.0 ? alpha : cover);
}`;

// A rod is a prism of twelve sides from one point to another.
const SIDES = 12;
const ROD_VERTEX = `#version 300 es
layout(location = 0) in vec3 point;
layout(location = 1) in vec3 start;
layout(location = 2) in vec3 end;
layout(location = 3) in vec3 tint;
uniform mat4 view, projection;
uniform float radius;
out vec3 facing, colour;
void main() {
  if (start == end) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; } // no rod: out of sight
  vec3 axis = end - start, other = abs(axis.x) > 0.7 * length(axis) ? vec3(0, 1, 0) : vec3(1, 0, 0);
  vec3 u = normalize(cross(axis, other)), v = normalize(cross(axis, u)), out_of = point.x * u + point.y * v;
  facing = mat3(view) * out_of;
  colour = tint;
  gl_Position = projection * view * vec4(start + point.z * axis + radius * out_of, 1.0);
}`;
const ROD_FRAGMENT = `#version 300 es
precision highp float;
in vec3 facing, colour;
out vec4 shown;
${LIGHT}
void main() { shown = vec4(lit(normalize(facing), colour), 1.0); }`;

const SQUARE = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);
const ROD = Float32Array.from({ length: 6 * (SIDES + 1) }, (_, k) => {
  const turn = (2 * Math.PI * Math.floor(k / 6)) / SIDES;
  return [Math.cos(turn), Math.sin(turn), k % 6 > 2 ? 1 : 0][k % 3];
});

function program(vertex, fragment, names) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const found = ["view", "projection", ...names].map((name) => [name, gl.getUniformLocation(made, name)]);
  return { made, ...Object.fromEntries(found) };
}

let tools; // what all scenes draw with
function prepare() {
  tools = {
    faces: program(FACE_VERTEX, FACE_FRAGMENT, ["model", "size", "colour", "flat_colour"]),
    balls: program(BALL_VERTEX, BALL_FRAGMENT, ["alpha"]),
    rods: program(ROD_VERTEX, ROD_FRAGMENT, ["radius"]),
    square: upload(SQUARE, [2]),
    rod: upload(ROD, [3]),
    line: upload(new Float32Array(6), [3]),
  };
  gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  gl.polygonOffset(1, 1);
}
