// SPDX-License-Identifier: Apache-2.0
// Objects that others listen to, and what the panels of settings, comparisons and sweeps need of one.

import type { Comparison, Field, Match, Preset, Setting, Settings } from "./api";

type Listener<T> = (detail: T) => void;

export class Emitter<Events> {
  private listeners: { [K in keyof Events]?: Listener<Events[K]>[] } = {};

  on<K extends keyof Events>(event: K, listener: Listener<Events[K]>): void {
    const list: Listener<Events[K]>[] = this.listeners[event] ?? [];
    list.push(listener);
    this.listeners[event] = list;
  }

  emit<K extends keyof Events>(event: K, detail: Events[K]): void {
    for (const listener of this.listeners[event] ?? []) listener(detail);
  }
}

/** What is told of each side of a comparison. */
export interface Side {
  device: string;
  settings: Settings;
  ms: { match?: number; search?: number; track?: number };
  /** Of tracks: that the time is of. */
  frames?: number;
}

export interface AdjustEvents {
  /** The settings, the device, the preset or what is compared were changed: ask again. */
  settings: undefined;
  /** A setting was refused, or (an empty field) anything else; an empty message: all is well again. */
  refused: { field: string; message: string };
  /** What the last change gave: its time and its score. */
  told: string;
  compared: Comparison<Side>;
}

/** Settings of one domain, of which panels are made. */
export interface Adjustable {
  /** Begins the ids of the controls. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** The fields that a user may change: what follows from the pictures is left out. */
  readonly fields: Field[];
  readonly presets: Preset[];
  readonly match: Match;
  /** Compared with `match` where there is one. */
  readonly other: Match | undefined;
  set(name: string, value: Setting): void;
  take_preset(name: string): void;
  /** Other settings, another device; with `other`, both are compared from now on. */
  take(match: Match, other: Match | undefined): void;
  on<K extends keyof AdjustEvents>(event: K, listener: Listener<AdjustEvents[K]>): void;
}

/** The settings without those that the pictures decide, as requests have them. */
export function asked(subject: Adjustable, match: Match): Match {
  const names = new Set(subject.fields.map((field) => field.name));
  const settings = Object.fromEntries(Object.entries(match.settings).filter(([name]) => names.has(name)));
  return { ...match, settings };
}
