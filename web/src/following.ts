// SPDX-License-Identifier: Apache-2.0
// Motion and tracks: settings of a domain, and what the server finds with them for the frame that is shown.

import type { Domain, FollowRequest, Match, Packet, Setting, Start } from "./api";
import { type Adjustable, type AdjustEvents, Emitter } from "./emitter";
import type { State } from "./state";
import { meet_again, trouble_of } from "./trouble";

interface Events extends AdjustEvents {
  /** An answer has come. */
  answer: undefined;
}

/** Asks while its tab is open; one request at a time, and the newest change counts. */
export class Following<Answer> extends Emitter<Events> implements Adjustable {
  match: Match;
  answer: Packet<Answer> | undefined;
  private readonly client = crypto.getRandomValues(new Uint32Array(2)).join("-");
  private serial = 0;
  private running = false;
  private late = true;

  constructor(
    readonly state: State,
    readonly id: string,
    private readonly tab: string,
    private readonly domain: Domain,
    start: Start,
    private readonly ask: (request: FollowRequest) => Promise<Packet<Answer>>,
    /** Fields that no command line has. */
    private readonly left_out: string[],
    /** Fields that belong to the scene: presets leave them. */
    private readonly kept: string[],
  ) {
    super();
    this.match = { device: state.match.device, preset: start.preset, settings: { ...start.settings } };
    state.on("frame", () => this.change());
    state.on("shown", () => {
      if (this.late) this.change();
    });
    state.on("settings", () => {
      if (this.match.device === state.match.device) return;
      this.match = { ...this.match, device: state.match.device };
      this.changed();
    });
  }

  get width(): number {
    return this.state.width;
  }
  get height(): number {
    return this.state.height;
  }
  get fields() {
    return this.domain.fields.filter((field) => field.bound !== "pixel-depth" && !this.left_out.includes(field.name));
  }
  get presets() {
    return this.domain.presets;
  }

  set(name: string, value: Setting): void {
    this.match = { ...this.match, settings: { ...this.match.settings, [name]: value } };
    this.changed();
  }

  take_preset(name: string): void {
    const preset = this.presets.find((one) => one.name === name);
    if (!preset) return;
    const settings = { ...preset.settings };
    for (const kept of this.kept) settings[kept] = this.match.settings[kept];
    this.match = { ...this.match, preset: name, settings };
    this.changed();
  }

  private changed(): void {
    this.emit("settings", undefined);
    this.change();
  }

  /** What is asked for `frame`, by a client of its own where one is given. */
  request(frame: number, client = this.client, serial = ++this.serial): FollowRequest {
    const names = new Set(this.fields.map((field) => field.name));
    const settings = Object.fromEntries(Object.entries(this.match.settings).filter(([name]) => names.has(name)));
    return { ...this.match, settings, client, serial, frame };
  }

  change(): void {
    this.late = true;
    if (this.state.tab === this.tab && this.state.is_there && !this.running) void this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    this.state.busy(1);
    while (this.late && this.state.tab === this.tab) {
      this.late = false;
      try {
        await meet_again(this.state);
        this.answer = await this.ask(this.request(this.state.frame));
        this.emit("refused", { field: "", message: "" });
        this.emit("answer", undefined);
        this.state.emit("drawn", undefined);
      } catch (error) {
        await this.tell(error);
      }
    }
    this.running = false;
    this.state.busy(-1);
  }

  private async tell(error: unknown): Promise<void> {
    const trouble = trouble_of(error, this.state);
    if (!trouble) return;
    this.emit("refused", trouble);
    this.state.emit("drawn", undefined);
    if (trouble.again_ms === 0) return;
    await new Promise((done) => setTimeout(done, trouble.again_ms));
    this.late = true;
  }
}
