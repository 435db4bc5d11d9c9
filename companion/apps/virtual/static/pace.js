// When the player's view may be drawn: browsers draw behind the page's back, and where they do so slowly
// (without a graphics card) a queue of views would keep the camera's picture waiting for seconds.

const SLOW_MS = 40;
const COARSE = 0.5; // of the screen's pixels along each side, while something moves and drawing is slow
const REST_MS = 350;

export class Pace {
  constructor(view) {
    this.view = view;
    this.gl = view.renderer.getContext();
    this.fence = null;
    this.tookMs = 0;
    this.scale = 1;
    this.movedAt = -Infinity;
  }

  // Whether what was drawn last is on its canvas by now.
  isDone(now) {
    if (!this.fence) return true;
    const { gl } = this;
    const isOver = gl.isContextLost() || gl.getSyncParameter(this.fence, gl.SYNC_STATUS) === gl.SIGNALED;
    if (!isOver) return false;
    this.tookMs = 0.7 * this.tookMs + 0.3 * (now - this.begun);
    gl.deleteSync(this.fence);
    this.fence = null;
    return true;
  }

  // Draws the view; coarsely while things move on a slow machine, and finely once they rest.
  draw(now, isMoving) {
    if (isMoving) this.movedAt = now;
    this.setScale(this.tookMs > SLOW_MS && now - this.movedAt < REST_MS ? COARSE : 1);
    this.view.draw();
    const { gl } = this;
    this.begun = now;
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  // Whether a coarse view is to be drawn finely.
  isCoarse(now) {
    return this.scale < 1 && now - this.movedAt >= REST_MS;
  }

  setScale(scale) {
    if (scale === this.scale) return;
    this.scale = scale;
    this.view.renderer.setPixelRatio(scale);
    this.view.resize();
  }
}
