// The player's view of the table: a camera of its own that goes around the table's middle.

import { MathUtils, PCFShadowMap, PerspectiveCamera, Raycaster, Vector2, WebGLRenderer } from "./three/three.module.js";
import { along, toThree } from "./frame.js";
import { drawsInSoftware } from "./graphics.js";
import { VIEW_LAYER } from "./scene.js";

export class View {
  // canvas: where it draws; as large as the page makes it.
  constructor(canvas, tableScene, { antialias = !drawsInSoftware() } = {}) {
    this.canvas = canvas;
    this.table = tableScene;
    this.renderer = new WebGLRenderer({ canvas, antialias, powerPreference: "low-power" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.camera = new PerspectiveCamera(38, 1, 50, 6000);
    this.camera.layers.enable(VIEW_LAYER);
    this.pose = { azimuth: 180, height: 52, distance: 760 };
    this.shadowed = this.drawn = -1;
    this.resize();
  }

  // azimuth: from which side, clockwise from the far one (180 is near).  height: degrees above the
  // table.  distance: mm from the table's middle.
  setPose(pose) {
    this.pose = { ...this.pose, ...pose };
    this.pose.height = MathUtils.clamp(this.pose.height, 8, 89.5);
    this.pose.distance = MathUtils.clamp(this.pose.distance, 220, 2200);
    this.drawn = -1;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.renderer.setSize(width || this.canvas.width, height || this.canvas.height, false);
    this.camera.aspect = (width || this.canvas.width) / (height || this.canvas.height);
    this.camera.updateProjectionMatrix();
    this.drawn = -1;
  }

  // Draw if anything has changed since; returns whether it has.
  draw() {
    const { version, viewVersion } = this.table;
    if (this.drawn === viewVersion && this.shadowed === version) return false;
    this.place();
    if (this.shadowed !== version) this.renderer.shadowMap.needsUpdate = true;
    this.shadowed = version;
    this.drawn = viewVersion;
    this.renderer.render(this.table.three, this.camera);
    return true;
  }

  place() {
    const { azimuth, height, distance } = this.pose, { mat } = this.table;
    const up = MathUtils.degToRad(height), side = along(azimuth);
    const middle = toThree(mat.width / 2, mat.height / 2, 10);
    const flat = distance * Math.cos(up);
    this.camera.position.copy(middle).add(toThree(side.x * flat, side.y * flat, distance * Math.sin(up)));
    this.camera.up.copy(height > 88 ? toThree(-side.x, -side.y, 0) : toThree(0, 0, 1));
    this.camera.lookAt(middle);
    this.camera.updateMatrixWorld(true);
  }

  // The ray under a place of the window, in CSS pixels.
  rayAt(clientX, clientY) {
    this.place();
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const place = new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height);
    const raycaster = new Raycaster();
    raycaster.setFromCamera(place, this.camera);
    return raycaster;
  }

  dispose() {
    this.renderer.dispose();
  }
}
