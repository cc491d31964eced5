// SPDX-License-Identifier: Apache-2.0
// Asks for maps when something has changed: the newest change counts, and older work is ended.

import { api, type Comparison, type Match, type Packet, Refusal, type Report } from "./api";
import { digits } from "./dom";
import { asked } from "./emitter";
import { maps_of, type State } from "./state";
import { meet_again, trouble_of } from "./trouble";

/** Matches shorter than this end by themselves while a slider moves, so that the map follows it. */
const short_ms = 200;

/** Tabs that show maps or what is made of them. */
export function shows_maps(tab: string): boolean {
  return tab === "Maps" || tab === "Cloud";
}

/** Companions of the map that take time of their own: asked for where they are shown. */
export interface Companions {
  mask: boolean;
  confidence: boolean;
}

export class Matching {
  private readonly wanted = new Map<string, Companions>();
  private readonly client: string;
  private serial = 0;
  private running = 0;
  private last_ms = 0;
  private changed_at = 0;
  private waiting = false;
  /** A change came while no map was shown. */
  private late = false;
  /** Each so-many-th pixel of each so-many-th row is all that is shown at once. */
  samples = (): number => 1;

  constructor(private readonly state: State) {
    this.client = `${state.page}-maps`;
    state.on("settings", () => this.change());
    state.on("frame", () => this.change());
    state.on("shown", () => {
      if (this.late) this.change();
    });
  }

  private get companions(): Companions {
    const all = [...this.wanted.values()];
    return { mask: all.some((one) => one.mask), confidence: all.some((one) => one.confidence) };
  }

  /** What a part of the page shows from now on. */
  want(part: string, wants: Companions): void {
    const before = this.companions;
    this.wanted.set(part, wants);
    if ((wants.mask && !before.mask) || (wants.confidence && !before.confidence)) this.change();
  }

  /** Something has changed now. */
  change(): void {
    this.changed_at = performance.now();
    this.late = !shows_maps(this.state.tab) || !this.state.is_there;
    if (this.late) return;
    if (this.running > 0 && this.last_ms < short_ms) this.waiting = true;
    else void this.run();
  }

  private async run(): Promise<void> {
    const serial = ++this.serial;
    const started = this.changed_at;
    this.waiting = false;
    this.running++;
    this.state.busy(1);
    try {
      await meet_again(this.state);
      await (this.state.other ? this.compare(serial, started, this.state.other) : this.match(serial, started));
      if (serial === this.serial) this.state.emit("refused", { field: "", message: "" });
    } catch (error) {
      if (serial === this.serial) this.tell(error);
    } finally {
      this.running--;
      if (this.waiting) void this.run();
      this.state.busy(-1);
    }
  }

  private tell(error: unknown): void {
    const trouble = trouble_of(error, this.state);
    if (!trouble) return;
    this.state.emit("refused", trouble);
    if (trouble.again_ms > 0) setTimeout(() => this.change(), trouble.again_ms);
  }

  /** First what is shown at once, then all pixels, then hash and scores; newer changes come before what is left. */
  private async match(serial: number, started: number): Promise<void> {
    const { state } = this;
    const { match } = state;
    const every = state.tab === "Maps" ? this.samples() : 1;
    const request = {
      client: this.client,
      serial,
      frame: state.frame,
      ...asked(state, match),
      ...this.companions,
      every,
    };
    const is_over = () => serial !== this.serial || this.waiting;
    const first = await api.stereo(request);
    if (serial !== this.serial) return;
    state.other_maps = undefined;
    this.take(first.json, first, "", every);
    await this.shown(started);
    if (is_over()) return;
    if (every > 1) {
      const whole = await api.maps(request).catch((error) => {
        // The server keeps the maps of the last clients alone.
        if (error instanceof Refusal && error.status === 404) return api.stereo({ ...request, every: 1 });
        throw error;
      });
      if (serial !== this.serial) return;
      this.take(whole.json, whole, "");
      state.emit("maps", undefined);
      if (is_over()) return;
    }
    const report = await api.report(request);
    if (serial !== this.serial) return;
    state.report = report;
    this.told(match);
  }

  /** Hash and scores of `match` are there. */
  private told(match: Match): void {
    const { report, change_ms } = this.state;
    this.state.emit("report", undefined);
    if (match !== this.state.match) return; // settings were changed meanwhile
    const bad = report?.scores?.all.total_bad["1"];
    const score =
      bad === undefined ? `${digits(report?.density, 2)} % have a disparity` : `${digits(bad, 2)} % wrong or missing`;
    this.state.emit("told", `${digits(change_ms, 0)} ms to the screen, ${score}`);
  }

  private async compare(serial: number, started: number, other: Match): Promise<void> {
    const { state } = this;
    const { match } = state;
    const packet: Packet<Comparison<Report>> = await api.compare({
      ...this.companions,
      client: this.client,
      serial,
      frame: state.frame,
      a: asked(state, match),
      b: asked(state, other),
      report: true,
    });
    if (serial !== this.serial) return;
    this.take(packet.json.a, packet, "a.");
    state.other_maps = maps_of(packet.arrays, "b.", packet.json.b.invalid, state.sampling(1));
    state.emit("compared", packet.json);
    await this.shown(started);
    this.told(match);
  }

  private take(report: Report, packet: Packet<unknown>, prefix: string, every = 1): void {
    this.state.maps = maps_of(packet.arrays, prefix, report.invalid, this.state.sampling(every));
    this.state.report = report;
  }

  /** Draws, and tells the time from the change to the picture. */
  private shown(started: number): Promise<void> {
    const { state } = this;
    state.emit("maps", undefined);
    return new Promise((done) =>
      requestAnimationFrame(() => {
        // The frame that was drawn is on the screen when the next task runs.
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          this.last_ms = performance.now() - started;
          state.change_ms = this.last_ms;
          state.emit("report", undefined);
          done();
        };
        channel.port2.postMessage(undefined);
      }),
    );
  }
}
