// The virtual camera: a pinhole with a lens, blur, noise and a JPEG of what it sees.
//
// The scene is drawn without the lens at the picture's own scale, a little larger than the picture;
// a second pass looks up each of the picture's pixels where OpenCV's k1 says that it comes from.

import {
  ClampToEdgeWrapping, DataTexture, GLSL3, LinearFilter, Mesh, NearestFilter, NoToneMapping, OrthographicCamera,
  PCFShadowMap, PerspectiveCamera, PlaneGeometry, RawShaderMaterial, RepeatWrapping, RGBAFormat, Scene, Vector2,
  Vector3, WebGLRenderer, WebGLRenderTarget,
} from "./three/three.module.js";
import { randomOf } from "./canvas.js";
import { along, toThree } from "./frame.js";
import { drawsInSoftware } from "./graphics.js";
import { ROOTED } from "./paint.js";
import { FLOOR_MM } from "./room.js";
import { ROOM, TableScene } from "./scene.js";

const NEAR_MM = 120, FAR_MM = 4000;
// How far a shadow's soft rim may reach beyond it, across the lamp's rays.
const SOFT_MM = 8;
// A blur of up to this sigma is four looks at a pixel's neighbours; a larger one has passes of its own.
const LITTLE_BLUR_PX = 0.7;
const NOISE_PX = 256;

// The focal length in pixels of a picture `width` wide.
export const focalOf = ({ width, hfov }) => width / 2 / Math.tan((hfov * Math.PI) / 360);

// Where the camera stands and how: its place, and its x (right), y (down) and z (ahead) in
// three.js's frame.
export function standOf(room, mat) {
  const { camera_height: height, camera_tilt: tilt, camera_side: side, roll, bump } = { ...ROOM, ...room };
  const rad = Math.PI / 180, [dx, dy, turn] = bump || [0, 0, 0];
  const aim = toThree(mat.width / 2, mat.height / 2), towards = along(side);
  const off = height * Math.tan(tilt * rad);
  const place = aim.clone().add(toThree(towards.x * off, towards.y * off, height));
  const ahead = aim.clone().sub(place).normalize();
  const out = toThree(towards.x, towards.y, 0);
  const down = out.addScaledVector(ahead, -out.dot(ahead)).normalize();
  const right = new Vector3().crossVectors(down, ahead);
  for (const axis of [right, down]) axis.applyAxisAngle(ahead, roll * rad);
  for (const axis of [right, down, ahead]) axis.applyAxisAngle(new Vector3(0, 1, 0), -turn * rad);
  return { place: place.add(toThree(dx, dy, 0)), right, down, ahead };
}

// The distance from the middle, in focal lengths, of a point that the lens shows at `bent`.
function straighten(bent, k1) {
  let true_ = bent;
  for (let step = 0; step < 8; step += 1) true_ -= (true_ * (1 + k1 * true_ * true_) - bent) / Math.max(0.2, 1 + 3 * k1 * true_ * true_);
  return true_;
}

const VERTEX = `
in vec3 position;
void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }`;

const LENS = `
precision highp float;
uniform sampler2D seen;
uniform sampler2D noise;
uniform vec2 size;
uniform vec2 seenSize;
uniform float focal;
uniform float k1;
uniform float spread;
uniform float sigma;
uniform vec2 shift;
out vec4 colour;
// sRGB of light that is not dark, by roots alone: off by 0.002 at most.
vec3 encode(vec3 light) {
  vec3 root = sqrt(light), fourth = sqrt(root);
  return 0.662002687 * root + 0.684122060 * fourth - 0.323583601 * sqrt(fourth) - 0.0225411470 * light;
}
vec3 lightAt(vec2 at) {
  vec3 root = texture(seen, at).rgb;
  return root * root;
}
void main() {
  vec2 bent = (gl_FragCoord.xy - 0.5 * size) / focal;
  vec2 place = bent;
  if (k1 != 0.0) {
    float far = length(bent);
    float r = far;
    for (int step = 0; step < 6; step += 1) r -= (r * (1.0 + k1 * r * r) - far) / max(0.2, 1.0 + 3.0 * k1 * r * r);
    place *= far > 0.0 ? r / far : 1.0;
  }
  vec2 at = (place * focal + 0.5 * seenSize) / seenSize;
  vec2 d = spread / seenSize;
  vec3 light = spread == 0.0 ? lightAt(at)
    : 0.25 * (lightAt(at + d) + lightAt(at - d) + lightAt(at + vec2(d.x, -d.y)) + lightAt(at + vec2(-d.x, d.y)));
  vec3 grain = texture(noise, gl_FragCoord.xy / ${NOISE_PX}.0 + shift).rgb - 0.5;
  colour = vec4(encode(light) + sigma * grain, 1.0);
}`;

const BLUR = `
precision highp float;
uniform sampler2D seen;
uniform vec2 way;
uniform float sigma;
uniform vec2 seenSize;
out vec4 colour;
vec3 lightAt(vec2 at) {
  vec3 root = texture(seen, at).rgb;
  return root * root;
}
void main() {
  vec2 at = gl_FragCoord.xy / seenSize;
  vec3 sum = lightAt(at);
  float weights = 1.0;
  int reach = int(ceil(2.6 * sigma));
  for (int step = 1; step <= reach; step += 1) {
    float weight = exp(-0.5 * float(step * step) / (sigma * sigma));
    vec2 off = way * float(step) / seenSize;
    sum += weight * (lightAt(at + off) + lightAt(at - off));
    weights += 2.0 * weight;
  }
  colour = vec4(sqrt(sum / weights), 1.0);
}`;

function shader(fragmentShader, uniforms) {
  return new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader, uniforms, depthTest: false, depthWrite: false });
}

// Noise of a sensor as a texture: each channel is 0.5 plus a number of mean 0, NOISE_SCALE wide.
const NOISE_SCALE = 8;

function noiseTexture() {
  const random = randomOf(1), data = new Uint8Array(4 * NOISE_PX * NOISE_PX);
  for (let at = 0; at < data.length; at += 1) {
    const gauss = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    data[at] = Math.max(0, Math.min(255, Math.round(127.5 + (255 / NOISE_SCALE) * gauss)));
  }
  const texture = new DataTexture(data, NOISE_PX, NOISE_PX, RGBAFormat);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

export class Eye {
  constructor(tableScene, { width, height } = {}) {
    this.table = tableScene;
    this.renderer = new WebGLRenderer({ antialias: false, alpha: false, depth: false, stencil: false, preserveDrawingBuffer: true, powerPreference: "low-power" });
    this.renderer.toneMapping = NoToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.canvas = this.renderer.domElement;
    this.camera = new PerspectiveCamera();
    this.camera.matrixAutoUpdate = false;
    this.flat = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
    this.lens = shader(LENS, {
      seen: { value: null }, noise: { value: noiseTexture() }, size: { value: new Vector2() }, seenSize: { value: new Vector2() },
      focal: { value: 1 }, k1: { value: 0 }, spread: { value: 0 }, sigma: { value: 0 }, shift: { value: new Vector2() },
    });
    this.blur = shader(BLUR, { seen: { value: null }, way: { value: new Vector2() }, sigma: { value: 1 }, seenSize: { value: new Vector2() } });
    this.sheet = new Mesh(new PlaneGeometry(2, 2), this.lens);
    this.sheet.frustumCulled = false;
    this.stage = new Scene();
    this.stage.add(this.sheet);
    this.fixed = { ...(width && { width }), ...(height && { height }) };
    this.random = randomOf(Date.now());
    this.targets = [];
    this.drawn = this.jagged = -1;
    this.isFine = false;
    this.hurries = drawsInSoftware() === true;
    this.setRoom(tableScene.room);
  }

  setRoom(room) {
    this.room = { ...ROOM, ...room, ...this.fixed };
    const { width, height, k1 } = this.room, focal = focalOf(this.room);
    this.canvas.width = width;
    this.canvas.height = height;
    this.renderer.setSize(width, height, false);
    const corner = Math.hypot(width, height) / 2 / focal;
    const margin = k1 < 0 ? Math.min(2, straighten(corner, k1) / corner) : 1;
    const even = (side) => 2 * Math.ceil((side * margin) / 2) + (side % 2);
    this.resize(even(width), even(height));
    this.focal = focal;
    this.drawn = this.jagged = -1;
  }

  resize(width, height) {
    const [seen] = this.targets;
    if (seen && seen.width === width && seen.height === height) return;
    for (const target of this.targets) target.dispose();
    const options = { format: RGBAFormat, minFilter: LinearFilter, magFilter: LinearFilter, wrapS: ClampToEdgeWrapping, wrapT: ClampToEdgeWrapping, generateMipmaps: false };
    this.targets = [
      new WebGLRenderTarget(width, height, { ...options, samples: 4 }),
      new WebGLRenderTarget(width, height, options),
      new WebGLRenderTarget(width, height, { ...options, depthBuffer: false }),
      new WebGLRenderTarget(width, height, { ...options, depthBuffer: false }),
    ];
  }

  // Place the camera as the room has it; its frustum is as large as what is drawn.
  place() {
    const { place, right, down, ahead } = standOf(this.room, this.table.mat);
    const [target] = this.targets, reach = NEAR_MM / this.focal;
    const [w, h] = [(target.width / 2) * reach, (target.height / 2) * reach];
    this.camera.matrix.makeBasis(right, down.clone().negate(), ahead.clone().negate()).setPosition(place);
    this.camera.matrixWorldNeedsUpdate = true;
    this.camera.updateMatrixWorld(true);
    this.camera.projectionMatrix.makePerspective(-w, w, h, -h, NEAR_MM, FAR_MM);
    this.camera.projectionMatrixInverse.copy(this.camera.projectionMatrix).invert();
  }

  // Draw what the camera sees now onto its canvas.  The noise is new each time.  What has just
  // moved has jagged edges where the processor draws, till it rests for a picture, unless `finely`.
  draw(finely = !this.hurries) {
    if (this.drawn !== this.table.version) this.see(finely);
    else if (!this.isFine) this.see(true);
    const { width, height, k1, blur, noise } = this.room;
    const { uniforms } = this.lens, target = blur > LITTLE_BLUR_PX ? this.targets[3] : this.targets[this.isFine ? 0 : 1];
    uniforms.seen.value = target.texture;
    uniforms.size.value.set(width, height);
    uniforms.seenSize.value.set(target.width, target.height);
    uniforms.focal.value = this.focal;
    uniforms.k1.value = k1;
    uniforms.spread.value = blur > LITTLE_BLUR_PX ? 0 : littleSpread(blur);
    uniforms.sigma.value = (noise * NOISE_SCALE) / 255;
    uniforms.shift.value.set(Math.floor(this.random() * NOISE_PX) / NOISE_PX, Math.floor(this.random() * NOISE_PX) / NOISE_PX);
    this.pass(this.lens, null);
  }

  // Draw the scene itself, and blur it if that takes passes of its own.
  see(finely) {
    this.place();
    const { renderer, table, targets } = this, seen = finely ? 0 : 1;
    if (this.drawn !== table.version) renderer.shadowMap.needsUpdate = true;
    if (finely || this.confine(targets[1])) {
      renderer.setRenderTarget(targets[seen]);
      ROOTED.value = 1;
      renderer.render(table.three, this.camera);
      ROOTED.value = 0;
    }
    this.drawn = table.version;
    if (!finely) this.jagged = table.version;
    this.isFine = finely;
    if (this.room.blur <= LITTLE_BLUR_PX) return;
    const { uniforms } = this.blur;
    uniforms.sigma.value = this.room.blur;
    uniforms.seenSize.value.set(targets[0].width, targets[0].height);
    for (const [from, to, way] of [[seen, 2, [1, 0]], [2, 3, [0, 1]]]) {
      uniforms.seen.value = targets[from].texture;
      uniforms.way.value.set(...way);
      this.pass(this.blur, targets[to]);
    }
  }

  // Have no more of *target* drawn than has changed since it was drawn last; false if nothing has.
  confine(target) {
    const { table, jagged } = this, points = table.changes.since(jagged);
    const part = points === null ? [0, 0, target.width, target.height] : this.partOf(points, target);
    target.scissorTest = true;
    target.scissor.set(...part);
    return part[2] > 0 && part[3] > 0;
  }

  // Where in *target* all between *points* and its shadow is seen: left, low, width, height in pixels.
  partOf(points, { width, height }) {
    const { lamp } = this.table.decor, place = new Vector3();
    const ray = lamp.target.position.clone().sub(lamp.position).normalize(), soft = SOFT_MM / -ray.y;
    const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    for (const point of points) {
      for (const way of [0, (FLOOR_MM - point.y) / ray.y]) {
        place.copy(point).addScaledVector(ray, way).applyMatrix4(this.camera.matrixWorldInverse);
        if (-place.z < NEAR_MM) continue; // where it is not drawn
        const scale = this.focal / -place.z, rim = soft * scale + 2;
        [width / 2 + place.x * scale, height / 2 + place.y * scale].forEach((at, axis) => {
          low[axis] = Math.min(low[axis], at - rim);
          high[axis] = Math.max(high[axis], at + rim);
        });
      }
    }
    const [left, bottom] = low.map((at) => Math.max(0, Math.floor(at)));
    return [left, bottom, Math.max(0, Math.ceil(Math.min(width, high[0])) - left), Math.max(0, Math.ceil(Math.min(height, high[1])) - bottom)];
  }

  pass(material, target) {
    this.sheet.material = material;
    this.renderer.setRenderTarget(target);
    this.renderer.render(this.stage, this.flat);
  }

  // What was drawn last, as a JPEG.
  jpeg() {
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no JPEG"))), "image/jpeg", this.room.quality / 100);
    });
  }

  dispose() {
    for (const target of this.targets) target.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}

// How far aside four looks, each between two pixels, are for a Gaussian of `sigma` pixels: they make
// a kernel a, 1 - 2a, a of each row with the same weights as the Gaussian's three middle ones.
function littleSpread(sigma) {
  if (sigma < 0.15) return 0;
  const side = Math.exp(-0.5 / (sigma * sigma));
  return Math.min(0.5, (2 * side) / (1 + 2 * side));
}

let still = null;

// A JPEG of a snapshot, of which nothing is kept but the scene.
export async function pictureOf(snapshot) {
  if (!still) {
    const table = new TableScene();
    still = { table, eye: new Eye(table) };
  }
  still.table.load(snapshot);
  still.eye.setRoom(snapshot.room || {});
  still.eye.draw(true);
  return still.eye.jpeg();
}
