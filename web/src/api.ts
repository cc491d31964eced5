// SPDX-License-Identifier: Apache-2.0
// What the server is asked, and what it answers: docs/view.md.

export type Setting = string | number | boolean;
export type Settings = Record<string, Setting>;

export interface Field {
  name: string;
  kind: "integer" | "real" | "choice" | "boolean" | "size" | "range" | "rectangle";
  group: string;
  help: string;
  unit: string;
  default: Setting;
  allowed: string;
  form: string;
  choices: string[];
  least: number;
  most: number;
  step: number;
  also: number[];
  square: boolean;
  bound: string;
  special: { value: number; meaning: string } | null;
}

export interface Preset {
  name: string;
  summary: string;
  settings: Settings;
}

export interface Domain {
  fields: Field[];
  presets: Preset[];
}

export interface Tables {
  stereo: Domain;
  motion: Domain;
  track: Domain;
}

/** What a domain's settings begin with. */
export interface Start {
  preset: string;
  settings: Settings;
}

export interface DeviceInfo {
  name: string;
  kind: string;
  description: string;
  available: boolean;
  reason: string;
}

export interface Geometry {
  focal_px: number;
  baseline_m: number;
  offset_px: number;
  center_x: number;
  center_y: number;
}

export interface Scene {
  vergence: string;
  name: string;
  first_frame: number;
  frames: number;
  size: { width: number; height: number };
  /** Frames come and go: see Live. */
  live: boolean;
  /** Files can be opened and saved below the server's --root. */
  root: boolean;
  /** What was doubtful when it was opened. */
  warnings: string[];
  /** False of a single video, which has no right view. */
  pair: boolean;
  truth: boolean;
  geometry: Geometry | null;
  /** Null where there is one frame alone. */
  motion: Start | null;
  track: Start | null;
  device: string;
  preset: string;
  settings: Settings;
  scale: [number, number, number][];
}

export interface Match {
  device: string;
  preset: string;
  settings: Settings;
}

export interface ScoreShares {
  bad: Record<string, number>;
  total_bad: Record<string, number>;
  invalid: number;
  average_error: number | null;
}

export interface Report {
  device: string;
  settings: Settings;
  invalid: number;
  ms: { wait: number; prepare: number; match: number; report?: number };
  command: string;
  hash?: string;
  density?: number;
  scores?: { all: ScoreShares; non_occluded?: ScoreShares } | null;
  /** What `stereo` says of this pair, its map and truth. */
  warnings?: string[];
}

export interface MotionAnswer {
  device: string;
  frame: number;
  settings: Settings;
  block: { width: number; height: number };
  grid: { width: number; height: number };
  ms: { wait: number; search: number };
  cost: number;
  residue: number;
  /** Null where the prediction is perfect. */
  psnr: number | null;
  /** Mean end-point error, px; null where the flow is not known. */
  epe: number | null;
  entropy: number;
  bits: number;
  scene_cut: boolean;
  hash: string;
  command: string;
}

export interface TrackAnswer {
  device: string;
  frame: number;
  settings: Settings;
  ms: { wait: number; track: number };
  /** That the time is of. */
  frames: number;
  /** Points of the first frame that are still followed, percent. */
  survival: number | null;
  /** Mean, grey levels. */
  residual: number | null;
  /** Mean end-point error of all steps, px; null where the flow is not known. */
  epe: number | null;
  statuses: string[];
  hash: string;
  command: string;
}

export interface Live {
  /** The number of the newest frame. */
  frame: number;
  dropped: number;
  damaged: number;
  reconnects: number;
  /** "frames" while it goes on. */
  end: string;
  failure: string;
}

export type PacketArray = Int16Array | Int32Array | Uint8Array | Float32Array;

/** JSON with the arrays that came behind it, by name. */
export interface Packet<T> {
  json: T;
  arrays: Map<string, PacketArray>;
}

export interface Comparison<Answer> {
  a: Answer;
  b: Answer;
  /** Null where both are of another form. */
  differing_bytes: number | null;
  /** Of maps and fields. */
  differing_pixels?: number;
  differing_tracks?: number;
}

export interface FolderEntry {
  name: string;
  folder: boolean;
  bytes: number;
}

export interface Folder {
  entries: FolderEntry[];
  /** There are more than are listed. */
  more: boolean;
}

/** Paths below the root; what is not given is left out. */
export interface OpenRequest {
  left: string;
  right?: string;
  /** A:B. */
  frames?: string;
  truth?: string;
  "truth-scale"?: string;
  calibration?: string;
  flow?: string;
}

/** What the server refuses, with the setting that it is about; status 409: a newer request has come. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly field: string,
  ) {
    super(message);
  }
}

/** The scene that this page shows: one that was opened below the root, else that of the program's command line. */
export const scene_query = (() => {
  const scene = new URLSearchParams(location.search).get("scene");
  return scene === null ? "" : `scene=${encodeURIComponent(scene)}`;
})();

/** The path with `query` and that of the scene. */
function address(path: string, query = ""): string {
  const words = [query, scene_query].filter((word) => word !== "");
  return words.length > 0 ? `${path}?${words.join("&")}` : path;
}

async function call(path: string, body?: unknown, query = ""): Promise<Response> {
  const content = body instanceof Blob ? body : JSON.stringify(body);
  const type = body instanceof Blob ? "application/octet-stream" : "application/json";
  const response = await fetch(
    address(path, query),
    body === undefined ? {} : { method: "POST", headers: { "Content-Type": type }, body: content },
  );
  if (response.ok) return response;
  const text = await response.text();
  let error: { message?: string; field?: string } = {};
  try {
    error = JSON.parse(text).error;
  } catch {
    error = { message: text };
  }
  throw new Refusal(response.status, error.message ?? `status ${response.status}`, error.field ?? "");
}

interface ArrayInfo {
  name: string;
  type: "int16" | "int32" | "uint8" | "float32" | "rgb8";
  offset: number;
  bytes: number;
}

function array_of(info: ArrayInfo, data: ArrayBuffer, start: number): PacketArray {
  const at = start + info.offset;
  switch (info.type) {
    case "int16":
      return new Int16Array(data, at, info.bytes / 2);
    case "int32":
      return new Int32Array(data, at, info.bytes / 4);
    case "float32":
      return new Float32Array(data, at, info.bytes / 4);
    default:
      return new Uint8Array(data, at, info.bytes);
  }
}

export function parse_packet<T>(data: ArrayBuffer): Packet<T> {
  const length = new DataView(data).getUint32(0, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  const arrays = new Map<string, PacketArray>();
  for (const info of json.arrays as ArrayInfo[]) arrays.set(info.name, array_of(info, data, 4 + length));
  return { json, arrays };
}

async function packet<T>(path: string, body?: unknown, query = ""): Promise<Packet<T>> {
  return parse_packet<T>(await (await call(path, body, query)).arrayBuffer());
}

/** One of both sides of a comparison. */
export function side<Answer>(both: Packet<Comparison<Answer>>, which: "a" | "b"): Packet<Answer> {
  const arrays = new Map<string, PacketArray>();
  for (const [name, array] of both.arrays) if (name.startsWith(`${which}.`)) arrays.set(name.slice(2), array);
  return { json: both.json[which], arrays };
}

export interface MatchRequest extends Match {
  client: string;
  serial: number;
  frame: number;
  mask?: boolean;
  confidence?: boolean;
  report?: boolean;
  /** Each so-many-th pixel of each so-many-th row is enough. */
  every?: number;
}

export interface CompareRequest {
  client: string;
  serial: number;
  frame: number;
  a: Match;
  b: Match;
  /** Of stereo. */
  mask?: boolean;
  confidence?: boolean;
  report?: boolean;
}

export interface FollowRequest extends Match {
  client: string;
  serial: number;
  frame: number;
  pictures?: boolean;
}

export const api = {
  fields: async (): Promise<Tables> => (await call("/api/fields")).json(),
  devices: async (): Promise<DeviceInfo[]> => (await (await call("/api/devices")).json()).devices,
  scene: async (): Promise<Scene> => (await call("/api/scene")).json(),
  /** `page`: of a live source, the frame is kept for that client. */
  pictures: (frame: number, page: string) =>
    packet<{ width: number; height: number }>("/api/pictures", undefined, `frame=${frame}&client=${page}`),
  stereo: (request: MatchRequest) => packet<Report>("/api/stereo", request),
  /** All pixels of the maps that the same request got from stereo(). */
  maps: (request: MatchRequest) => packet<Report>("/api/maps", request),
  report: async (request: MatchRequest): Promise<Report> => (await call("/api/report", request)).json(),
  /** Waits up to a second for a frame behind `after`. */
  live: async (after: number): Promise<Live> => (await call("/api/live", undefined, `after=${after}`)).json(),
  motion: (request: FollowRequest) => packet<MotionAnswer>("/api/motion", request),
  track: (request: FollowRequest) => packet<TrackAnswer>("/api/track", request),
  compare: (request: CompareRequest) => packet<Comparison<Report>>("/api/compare", request),
  compare_motion: (request: CompareRequest) => packet<Comparison<MotionAnswer>>("/api/compare/motion", request),
  compare_tracks: (request: CompareRequest) => packet<Comparison<TrackAnswer>>("/api/compare/track", request),
  folder: async (path: string): Promise<Folder> =>
    (await call("/api/files", undefined, `folder=${encodeURIComponent(path)}`)).json(),
  /** The name of the scene, for scene_query of another page. */
  open: async (request: OpenRequest): Promise<string> => (await (await call("/api/open", request)).json()).scene,
  save: (path: string, content: Blob) => call("/api/save", content, `path=${encodeURIComponent(path)}`),
};
