// SPDX-License-Identifier: Apache-2.0
// Objects that others listen to, and what the panel of settings needs of one.

import type { Field, Match, Preset, Setting } from "./api";

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

export interface AdjustEvents {
  /** The settings, the device or the preset were changed: ask again. */
  settings: undefined;
  /** A setting was refused, or (an empty field) anything else; an empty message: all is well again. */
  refused: { field: string; message: string };
}

/** Settings of one domain, of which a panel is made. */
export interface Adjustable {
  /** Begins the ids of the controls. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** The fields that a user may change: what follows from the pictures is left out. */
  readonly fields: Field[];
  readonly presets: Preset[];
  readonly match: Match;
  set(name: string, value: Setting): void;
  take_preset(name: string): void;
  on<K extends keyof AdjustEvents>(event: K, listener: Listener<AdjustEvents[K]>): void;
}
