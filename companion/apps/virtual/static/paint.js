// The one material of the scene: matte or glossy, lit at its vertices, with one shadow.
//
// three.js's own materials do per pixel what a browser without a graphics card cannot do ten times
// a second; this takes a third of their time, and shows the same.

import { Color, RepeatWrapping, ShaderMaterial, UniformsLib, UniformsUtils, Vector2 } from "./three/three.module.js";

const VERTEX = `
#include <common>
#include <lights_pars_begin>
#include <shadowmap_pars_vertex>
uniform vec3 diffuse;
uniform vec2 middle;
uniform float reach;
varying vec3 vSky;
varying vec3 vLamp;
#ifdef PRINTED
  varying vec2 vPlace;
  uniform vec2 repeat;
#else
  varying vec3 vPaint;
#endif
#ifdef GLOSS
  varying vec3 vHalf;
  varying vec3 vOut;
#endif
void main() {
  #include <beginnormal_vertex>
  #include <defaultnormal_vertex>
  #include <begin_vertex>
  #include <project_vertex>
  #include <worldpos_vertex>
  #include <shadowmap_vertex>
  vec3 out_ = normalize(transformedNormal);
  vSky = getHemisphereLightIrradiance(hemisphereLights[0], out_) * RECIPROCAL_PI;
  #ifdef USE_INSTANCING
    vec2 tablePosition = (modelMatrix * instanceMatrix * vec4(transformed, 1.0)).xz;
  #else
    vec2 tablePosition = (modelMatrix * vec4(transformed, 1.0)).xz;
  #endif
  // A lamp at some distance lights the middle more than the rim of the table.
  vec2 off = (tablePosition - middle) / reach;
  float near = 1.0 / (1.0 + dot(off, off));
  vSky *= 0.5 + 0.5 * near;
  vLamp = near * directionalLights[0].color * max(0.0, dot(out_, directionalLights[0].direction)) * RECIPROCAL_PI;
  #ifdef GLOSS
    vOut = out_;
    vHalf = normalize(directionalLights[0].direction - normalize(mvPosition.xyz));
  #endif
  #ifdef PRINTED
    vPlace = uv * repeat;
  #else
    vPaint = diffuse;
    #ifdef USE_COLOR
      vPaint *= color;
    #endif
  #endif
}`;

const FRAGMENT = `
#include <common>
varying vec3 vSky;
varying vec3 vLamp;
#ifdef PRINTED
  varying vec2 vPlace;
  uniform sampler2D print;
#else
  varying vec3 vPaint;
#endif
#ifdef GLOSS
  varying vec3 vHalf;
  varying vec3 vOut;
  uniform float gloss;
#endif
uniform float rooted;
#ifdef USE_SHADOWMAP
  uniform sampler2DShadow directionalShadowMap[NUM_DIR_LIGHT_SHADOWS];
  varying vec4 vDirectionalShadowCoord[NUM_DIR_LIGHT_SHADOWS];
  struct DirectionalLightShadow {
    float shadowIntensity;
    float shadowBias;
    float shadowNormalBias;
    float shadowRadius;
    vec2 shadowMapSize;
  };
  uniform DirectionalLightShadow directionalLightShadows[NUM_DIR_LIGHT_SHADOWS];
#endif
float lampShare() {
  #ifdef USE_SHADOWMAP
    DirectionalLightShadow shadow = directionalLightShadows[0];
    vec3 at = vDirectionalShadowCoord[0].xyz + vec3(0.0, 0.0, shadow.shadowBias);
    if (any(greaterThan(abs(at.xy - 0.5), vec2(0.5)))) return 1.0;  // nothing is known of shadows there
    vec2 d = shadow.shadowRadius / shadow.shadowMapSize;
    float lit = 0.25 * (texture(directionalShadowMap[0], at + vec3(d.x, 0.4 * d.y, 0.0))
      + texture(directionalShadowMap[0], at + vec3(-d.x, -0.4 * d.y, 0.0))
      + texture(directionalShadowMap[0], at + vec3(-0.4 * d.x, d.y, 0.0))
      + texture(directionalShadowMap[0], at + vec3(0.4 * d.x, -d.y, 0.0)));
    return mix(1.0, lit, shadow.shadowIntensity);
  #else
    return 1.0;
  #endif
}
void main() {
  #ifdef PRINTED
    vec3 paint = texture2D(print, vPlace).rgb;
  #else
    vec3 paint = vPaint;
  #endif
  float lit = lampShare();
  vec3 light = paint * (vSky + vLamp * lit);
  #ifdef GLOSS
    light += vLamp * lit * GLOSS * pow(max(0.0, dot(normalize(vOut), normalize(vHalf))), gloss);
  #endif
  gl_FragColor = vec4(light, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  if (rooted > 0.5) gl_FragColor.rgb = sqrt(min(gl_FragColor.rgb, vec3(1.0)));
}`;

// Whether roots of the light are drawn, which eight bits hold better than the light itself.  A
// renderer sets it before it draws, always to the same.
export const ROOTED = { value: 0 };
// The middle of the table, where the lamp shines; shared by all that is painted.
export const MIDDLE = { value: new Vector2(200, 150) };
const REACH_MM = 900;

// map: a texture, or else color and vertexColors.  gloss: how sharp the lamp is mirrored, 0 not at
// all; glint: how strongly.  side: as three.js has it.
export function paint({ map = null, color = "#ffffff", vertexColors = false, gloss = 0, glint = 0.2, repeat = [1, 1], side = 0 }) {
  const defines = {};
  if (map) defines.PRINTED = "";
  if (gloss) defines.GLOSS = glint.toFixed(3);
  const uniforms = UniformsUtils.merge([UniformsLib.lights, {
    diffuse: { value: new Color(color) }, repeat: { value: repeat }, gloss: { value: gloss },
  }]);
  uniforms.print = { value: map };
  uniforms.rooted = ROOTED;
  uniforms.middle = MIDDLE;
  uniforms.reach = { value: REACH_MM };
  if (map && (repeat[0] !== 1 || repeat[1] !== 1)) map.wrapS = map.wrapT = RepeatWrapping;
  const material = new ShaderMaterial({ defines, uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, lights: true, vertexColors, side });
  material.map = map;
  return material;
}

// Free a material and its print.
export function dispose(material) {
  if (material.map) material.map.dispose();
  material.dispose();
}
