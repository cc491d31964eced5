// SPDX-License-Identifier: Apache-2.0
// What is looked at and how: one object that the parts of the page read, change and listen to.

import type { DeviceInfo, Field, Match, PacketArray, Preset, Report, Scene, Settings, Tables } from "./api";
import { type Adjustable, type AdjustEvents, Emitter } from "./emitter";

/** Which pixels an array holds: each `every`-th one of each `every`-th row (1: all), `columns` in a row. */
export interface Sampling {
  every: number;
  columns: number;
}

export interface Maps extends Sampling {
  disparity: Int16Array | Int32Array;
  mask?: Uint8Array;
  confidence?: Uint8Array;
  invalid: number;
}

export interface Pictures {
  left: Uint8Array;
  right: Uint8Array;
  truth?: Float32Array;
}

interface Events extends AdjustEvents {
  /** The list of devices has come, which may take seconds. */
  devices: undefined;
  /** Another frame is shown: match again. */
  frame: undefined;
  /** Maps have come. */
  maps: undefined;
  /** Hash and scores of them have come. */
  report: undefined;
  /** Something else about the view was changed: draw again. */
  view: undefined;
  /** A part of the page that was hidden is seen. */
  shown: undefined;
  /** Motion or tracks of the frame are drawn, or were refused. */
  drawn: undefined;
  /** Where a file was saved, or why not. */
  saved: string;
  /** The pointer is over this pixel, or over none. */
  pointer: { x: number; y: number } | undefined;
}

/** A preset and what differs from it. */
export class State extends Emitter<Events> implements Adjustable {
  readonly id = "";
  /** Names this page to the server. */
  readonly page = [...crypto.getRandomValues(new Uint32Array(2))].join("-");
  /** The tab that is open. */
  tab = "";
  frame: number;
  match: Match;
  /** Compared with `match` where there is one. */
  other: Match | undefined;
  devices: DeviceInfo[];
  pictures: Pictures | undefined;
  maps: Maps | undefined;
  other_maps: Maps | undefined;
  report: Report | undefined;
  /** From the change to the map on the screen. */
  change_ms = 0;
  /** The folder below the root where files are saved; undefined: the browser's own. */
  save_folder: string | undefined;
  /** Fixed colours, px; undefined: all candidates. */
  range: [number, number] | undefined;
  /** Shows a frame; set by the timeline. */
  go: (frame: number) => void = () => undefined;
  /** The server did not answer, or not to us. */
  lost = false;
  private working = 0;

  constructor(
    readonly scene: Scene,
    readonly tables: Tables,
  ) {
    super();
    this.frame = scene.first_frame;
    this.devices = [{ name: scene.device, kind: "", description: "", available: true, reason: "" }];
    this.match = { device: scene.device, preset: scene.preset, settings: { ...scene.settings } };
  }

  /** Work began (1) or ended (-1). */
  busy(change: 1 | -1): void {
    this.working += change;
    document.body.dataset.busy = this.working > 0 ? "yes" : "no";
  }

  /** A live source has a frame to look at only once its pictures have come. */
  get is_there(): boolean {
    return !this.scene.live || this.pictures !== undefined;
  }
  get width(): number {
    return this.scene.size.width;
  }
  sampling(every: number): Sampling {
    return { every, columns: Math.ceil(this.width / every) };
  }
  get height(): number {
    return this.scene.size.height;
  }
  /** Of the maps' picture: the truth is the left one's. */
  get truth(): Float32Array | undefined {
    return this.match.settings.reference === "left" ? this.pictures?.truth : undefined;
  }
  get presets(): Preset[] {
    return this.tables.stereo.presets;
  }
  /** The fields that a user may change: what follows from the pictures is left out. */
  get fields(): Field[] {
    return this.tables.stereo.fields.filter((field) => field.bound !== "pixel-depth");
  }

  set(name: string, value: Settings[string]): void {
    this.match = { ...this.match, settings: { ...this.match.settings, [name]: value } };
    this.emit("settings", undefined);
  }

  /** All settings of a preset; the number of disparities stays, which belongs to the scene. */
  take_preset(name: string): void {
    const preset = this.presets.find((one) => one.name === name);
    if (!preset) return;
    const settings = { ...preset.settings };
    for (const kept of ["disparities", "min-disparity"]) settings[kept] = this.match.settings[kept];
    this.match = { ...this.match, preset: name, settings };
    this.emit("settings", undefined);
  }

  take(match: Match, other: Match | undefined): void {
    this.match = match;
    this.other = other;
    this.emit("settings", undefined);
  }

  number(name: string): number {
    return Number(this.match.settings[name]);
  }

  /** Disparities that the colours span, px. */
  get colours(): [number, number] {
    const low = this.number("min-disparity");
    return this.range ?? [low, low + Math.max(this.number("disparities") - 1, 1)];
  }
}

export function maps_of(arrays: Map<string, PacketArray>, prefix: string, invalid: number, sampling: Sampling): Maps {
  const maps: Maps = { disparity: arrays.get(`${prefix}disparity`) as Int16Array, invalid, ...sampling };
  const mask = arrays.get(`${prefix}mask`);
  const confidence = arrays.get(`${prefix}confidence`);
  if (mask) maps.mask = mask as Uint8Array;
  if (confidence) maps.confidence = confidence as Uint8Array;
  return maps;
}
