// SPDX-License-Identifier: Apache-2.0
// The points of a pair in metres, to be turned and measured. Loaded when it is first opened.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ColorManagement,
  GridHelper,
  LinearSRGBColorSpace,
  PerspectiveCamera,
  Plane,
  Points,
  PointsMaterial,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Geometry } from "./api";
import { choice, digits, h } from "./dom";
import { save } from "./exports";
import { type CloudPoints, ply } from "./ply";
import type { State } from "./state";
import { depth_of, measured_at, scale_table } from "./views";

// Pictures are shown with the numbers that they have.
ColorManagement.enabled = false;

const colourings = ["picture", "depth", "confidence"] as const;
type Colouring = (typeof colourings)[number];
/** While the view moves, so many points are drawn: processors that draw by themselves stay fluent. */
const moving_points = 150_000;

/** 1, 2, ..., n in an order without pattern: a part of it shows the whole scene, thinned. */
function shuffled(n: number): Uint32Array {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  let random = 1;
  for (let i = n - 1; i > 0; i--) {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    const j = random % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Maps of a part of the pixels are followed by all of them. */
function has_all_pixels(state: State): boolean {
  return state.maps?.every === 1;
}

/** Points of all pixels with a depth, in the axes of the drawing: x right, y up, z towards the viewer. */
export function points_of(state: State, geometry: Geometry, colouring: Colouring): CloudPoints {
  const { maps, pictures, width, height } = state;
  const positions = new Float32Array(3 * width * height);
  const colours = new Uint8Array(3 * width * height);
  const table = scale_table(state.scene.scale);
  const right = state.match.settings.reference === "right";
  const picture = right ? pictures?.right : pictures?.left;
  const center = geometry.center_x + (right ? geometry.offset_px : 0);
  let count = 0;
  if (!maps || !has_all_pixels(state)) return { positions, colours, count };
  const [low, high] = state.colours;
  for (const index of shuffled(width * height)) {
    const disparity = measured_at(maps, index);
    const depth = depth_of(disparity, geometry);
    if (!Number.isFinite(depth)) continue;
    const x = index % width;
    const y = (index - x) / width;
    const at = 3 * count++;
    positions[at] = ((x - center) * depth) / geometry.focal_px;
    positions[at + 1] = ((geometry.center_y - y) * depth) / geometry.focal_px;
    positions[at + 2] = -depth;
    if (colouring === "picture" && picture) {
      for (let c = 0; c < 3; c++) colours[at + c] = picture[3 * index + c];
    } else {
      const share = colouring === "depth" ? (255 * (disparity - low)) / (high - low) : (maps.confidence?.[index] ?? 0);
      const colour = table[Math.min(255, Math.max(0, Math.round(share)))];
      for (let c = 0; c < 3; c++) colours[at + c] = (colour >> (8 * c)) & 255;
    }
  }
  return { positions: positions.subarray(0, 3 * count), colours: colours.subarray(0, 3 * count), count };
}

/** The depth below which `share` of the points lie. */
function depth_quantile(state: State, geometry: Geometry, share: number): number {
  const { maps } = state;
  if (!maps) return 1;
  const depths: number[] = [];
  const step = Math.max(1, Math.floor(maps.disparity.length / 20_000));
  for (let i = 0; i < maps.disparity.length; i += step) {
    const depth = depth_of(measured_at(maps, i), geometry);
    if (Number.isFinite(depth)) depths.push(depth);
  }
  depths.sort((a, b) => a - b);
  return depths[Math.min(depths.length - 1, Math.floor(depths.length * share))] ?? 1;
}

class Cloud {
  readonly canvas = h("canvas", { class: "cloud", tabindex: 0, role: "img", "aria-label": "Point cloud" });
  private readonly renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, preserveDrawingBuffer: true });
  private readonly world = new Scene();
  private readonly camera = new PerspectiveCamera(50, 4 / 3, 0.01, 10_000);
  private readonly controls = new OrbitControls(this.camera, this.canvas);
  private readonly material = new PointsMaterial({ size: 2, sizeAttenuation: false, vertexColors: true });
  private readonly points = new Points(new BufferGeometry(), this.material);
  private readonly far_clip = new Plane(new Vector3(0, 0, 1), 0);
  private readonly near_clip = new Plane(new Vector3(0, 0, -1), 0);
  private grid: GridHelper | undefined;
  private picked: Vector3[] = [];
  private settled = 0;
  /** The depth that the view turns about at first, m. */
  private middle = 1;
  count = 0;

  constructor(private readonly measured: (text: string) => void) {
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.points.frustumCulled = false;
    this.world.add(this.points);
    this.controls.addEventListener("change", () => this.move());
    this.controls.listenToKeyEvents(this.canvas);
    this.canvas.addEventListener("dblclick", (event) => {
      const { left, top, width, height } = this.canvas.getBoundingClientRect();
      this.pick((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** Shows these points; `middle`: the depth that the view turns about, the first time. */
  take({ positions, colours, count }: CloudPoints, middle: number): void {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setAttribute("color", new BufferAttribute(colours, 3, true));
    this.points.geometry.dispose();
    this.points.geometry = geometry;
    if (this.count === 0) this.look(middle);
    this.count = count;
    this.draw();
  }

  private look(middle: number): void {
    this.middle = middle;
    this.camera.position.set(0, 0, 0.15 * middle);
    this.controls.target.set(0, 0, -middle);
    this.grid = new GridHelper(Math.ceil(4 * middle), Math.ceil(4 * middle), 0x808080, 0x505050);
    this.grid.position.set(0, -middle / 2, -middle);
    this.world.add(this.grid);
    this.controls.update();
  }

  set size(pixels: number) {
    this.material.size = pixels;
    this.draw();
  }
  /** Points nearer or farther than these depths are not drawn. */
  clip(near: number, far: number): void {
    this.near_clip.constant = -near;
    this.far_clip.constant = far;
    this.material.clippingPlanes = [this.near_clip, this.far_clip];
    this.renderer.localClippingEnabled = true;
    this.draw();
  }
  set show_grid(on: boolean) {
    if (this.grid) this.grid.visible = on;
    this.draw();
  }

  private move(): void {
    clearTimeout(this.settled);
    this.settled = window.setTimeout(() => this.draw(), 150);
    this.draw(moving_points);
  }

  draw(most = Number.POSITIVE_INFINITY): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.world.background = new Color(getComputedStyle(document.body).backgroundColor);
    this.points.geometry.setDrawRange(0, most);
    this.renderer.render(this.world, this.camera);
  }

  /** Flies: w and s forwards and back, a and d to the sides, r and f up and down. Enter measures in the middle. */
  private key(event: KeyboardEvent): void {
    if (event.key === "Enter") this.pick(0, 0);
    const ways: Record<string, [number, number, number]> = {
      w: [0, 0, -1],
      s: [0, 0, 1],
      a: [-1, 0, 0],
      d: [1, 0, 0],
      r: [0, 1, 0],
      f: [0, -1, 0],
    };
    const way = ways[event.key.toLowerCase()];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const step = (event.shiftKey ? 0.2 : 0.04) * this.middle;
    const by = new Vector3(...way).applyQuaternion(this.camera.quaternion).multiplyScalar(step);
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
    this.move();
  }

  /** Of two points that were picked one after the other, the distance. x and y: -1 .. 1, right and up. */
  private pick(x: number, y: number): void {
    const at = new Vector2(x, y);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    ray.params.Points.threshold = 0.01 * this.camera.position.distanceTo(this.controls.target);
    this.points.geometry.setDrawRange(0, Number.POSITIVE_INFINITY);
    const seen = ({ point }: { point: Vector3 }) =>
      (this.material.clippingPlanes ?? []).every((plane) => plane.distanceToPoint(point) >= 0);
    const hit = ray.intersectObject(this.points).find(seen);
    if (!hit) return;
    this.picked = [...this.picked.slice(-1), hit.point.clone()];
    const [a, b] = this.picked;
    const place = (p: Vector3) => `(${digits(p.x, 3)}, ${digits(0 - p.y, 3)}, ${digits(0 - p.z, 3)}) m`;
    this.measured(b ? `${place(a)} to ${place(b)}: ${digits(a.distanceTo(b), 3)} m` : place(a));
  }
}

/** The panel of the cloud; draws once it is shown. Confidence is coloured where `confidence` has asked for it. */
export function cloud_panel(state: State, ask_confidence: () => void): HTMLElement {
  const { geometry } = state.scene;
  if (!geometry)
    return h(
      "p",
      {},
      "Points in metres need the cameras' geometry: start with --calibration, or --focal and --baseline.",
    );
  const status = h("p", { class: "small", role: "status" });
  const cloud = new Cloud((text) => {
    status.textContent = text;
  });
  let colouring: Colouring = "picture";
  const fill = () => {
    const points = points_of(state, geometry, colouring);
    cloud.take(points, depth_quantile(state, geometry, 0.5));
    cloud.canvas.dataset.points = String(points.count);
    cloud.canvas.setAttribute(
      "aria-label",
      `Point cloud of ${points.count} points; arrow keys move it, w a s d r f fly, Enter measures in the middle`,
    );
    status.textContent = `${points.count.toLocaleString("en")} points. Drag turns, the wheel goes nearer, w a s d r f fly, two double clicks (or Enter, in the middle) measure.`;
  };
  const size = h("input", {
    type: "range",
    min: 1,
    max: 8,
    value: 2,
    "aria-label": "Size of points, pixels of the screen",
    input: () => {
      cloud.size = Number(size.value);
    },
  });
  const clip_at = (label: string, value: number) =>
    h("input", { type: "range", min: 0, max: 100, value, "aria-label": label, input: () => clip() });
  const near = clip_at("Nearest depth, in percent of the points", 0);
  const far = clip_at("Farthest depth, in percent of the points", 100);
  const clip = () => {
    const depth = (input: HTMLInputElement) => depth_quantile(state, geometry, Number(input.value) / 100);
    cloud.clip(near.value === "0" ? 0 : 0.999 * depth(near), 1.001 * depth(far));
  };
  const grid = h("input", {
    type: "checkbox",
    checked: true,
    change: () => {
      cloud.show_grid = grid.checked;
    },
  });
  const colours = choice("Colours", colourings, colouring, (word) => {
    colouring = word as Colouring;
    if (colouring === "confidence" && !state.maps?.confidence) ask_confidence();
    else fill();
  });
  const write = h(
    "button",
    {
      type: "button",
      click: () => {
        if (has_all_pixels(state)) void save(state, "cloud.ply", ply(points_of(state, geometry, colouring)));
      },
    },
    "Save points (PLY)",
  );
  const panel = h("section", { "aria-label": "Cloud" });
  panel.append(
    h(
      "div",
      { class: "tools" },
      colours.box,
      h("label", { class: "choice" }, "Point size ", size),
      h("span", { class: "clip" }, h("label", {}, "Clip from ", near), h("label", {}, " to ", far)),
      h("label", { class: "check" }, grid, " Grid"),
      write,
    ),
    cloud.canvas,
    status,
  );
  const seen = () => {
    if (has_all_pixels(state) && panel.isConnected && !panel.closest("[hidden]")) fill();
  };
  state.on("maps", seen);
  state.on("shown", seen);
  return panel;
}
