// What draws here: a graphics card, or the processor, for which some things are drawn more simply.

let software = null;

// Whether the browser draws without a graphics card; null if it cannot draw in 3D at all.
export function drawsInSoftware() {
  if (software === null) {
    const gl = document.createElement("canvas").getContext("webgl2");
    if (!gl) return null;
    const named = gl.getExtension("WEBGL_debug_renderer_info");
    const name = named ? gl.getParameter(named.UNMASKED_RENDERER_WEBGL) : "";
    software = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(name));
    const lost = gl.getExtension("WEBGL_lose_context");
    if (lost) lost.loseContext();
  }
  return software;
}
