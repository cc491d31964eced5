// SPDX-License-Identifier: Apache-2.0
// Requests that failed: what is told, when they are tried again, and what comes after a server that was away.

import { api, Refusal } from "./api";
import type { State } from "./state";

export interface Trouble {
  field: string;
  message: string;
  /** After so many milliseconds it is tried again; 0: not at all. */
  again_ms: number;
}

/** Nothing of requests that a newer one has ended. */
export function trouble_of(error: unknown, state: State): Trouble | undefined {
  if (!(error instanceof Refusal)) {
    state.lost = true;
    const message = "The server does not answer. Is `vergence view` still running? Trying again.";
    return { field: "", message, again_ms: 1000 };
  }
  if (error.status === 409) return undefined;
  if (error.status === 401) {
    state.lost = true;
    const message =
      "The server was started anew and has another token: open the address that it printed in this browser, then this page goes on.";
    return { field: "", message, again_ms: 1000 };
  }
  return { field: error.field, message: error.message, again_ms: 0 };
}

/** Before the first request to a server that was away: where it shows something else now, the page begins anew. */
export async function meet_again(state: State): Promise<void> {
  if (!state.lost) return;
  const scene = await api.scene();
  const told = ({ vergence, name, first_frame, frames, size, pair, live }: State["scene"]) =>
    JSON.stringify([vergence, name, live || [first_frame, frames], size, pair]);
  if (told(scene) !== told(state.scene)) location.reload();
  state.lost = false;
}
