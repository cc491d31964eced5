// SPDX-License-Identifier: Apache-2.0
// Motion and tracks: settings of a domain, and what the server finds with them for the frame that is shown.

import {
  type CompareRequest,
  type Comparison,
  type Domain,
  type FollowRequest,
  type Match,
  type Packet,
  type Setting,
  type Start,
  side,
} from "./api";
import { type Adjustable, type AdjustEvents, asked, Emitter, type Side } from "./emitter";
import type { State } from "./state";
import { meet_again, trouble_of } from "./trouble";

interface Events extends AdjustEvents {
  /** An answer has come. */
  answer: undefined;
}

/** What a domain is and how it is asked. */
export interface Subject<Answer> {
  /** Begins the ids of the controls. */
  id: string;
  tab: string;
  domain: Domain;
  start: Start;
  ask(request: FollowRequest): Promise<Packet<Answer>>;
  ask_both(request: CompareRequest): Promise<Packet<Comparison<Answer>>>;
  /** Time and score in a line. */
  told(answer: Answer): string;
  /** Fields that no command line has. */
  left_out: string[];
  /** Fields that belong to the scene: presets leave them. */
  kept: string[];
}

/** Asks while its tab is open; one request at a time, and the newest change counts. */
export class Following<Answer extends Side> extends Emitter<Events> implements Adjustable {
  readonly id: string;
  match: Match;
  other: Match | undefined;
  answer: Packet<Answer> | undefined;
  /** Of `other`, where there is one. */
  other_answer: Packet<Answer> | undefined;
  private readonly client: string;
  private serial = 0;
  private running = false;
  private late = true;
  /** What the answer was asked with: changes replace `match`. */
  private found_with: Match | undefined;

  constructor(
    readonly state: State,
    readonly subject: Subject<Answer>,
  ) {
    super();
    this.id = subject.id;
    this.client = `${state.page}-${subject.tab}`;
    this.match = { device: state.match.device, preset: subject.start.preset, settings: { ...subject.start.settings } };
    state.on("frame", () => this.change());
    state.on("shown", () => {
      if (this.late) this.change();
    });
    state.on("settings", () => {
      if (this.match.device !== state.match.device) this.adjust({ ...this.match, device: state.match.device });
    });
  }

  /** The answer is of the settings that are set now. */
  get is_current(): boolean {
    return this.found_with === this.match;
  }
  get width(): number {
    return this.state.width;
  }
  get height(): number {
    return this.state.height;
  }
  get fields() {
    const { domain, left_out } = this.subject;
    return domain.fields.filter((field) => field.bound !== "pixel-depth" && !left_out.includes(field.name));
  }
  get presets() {
    return this.subject.domain.presets;
  }

  set(name: string, value: Setting): void {
    this.adjust({ ...this.match, settings: { ...this.match.settings, [name]: value } });
  }

  take_preset(name: string): void {
    const preset = this.presets.find((one) => one.name === name);
    if (!preset) return;
    const settings = { ...preset.settings };
    for (const kept of this.subject.kept) settings[kept] = this.match.settings[kept];
    this.adjust({ ...this.match, preset: name, settings });
  }

  take(match: Match, other: Match | undefined): void {
    this.other = other;
    this.adjust(match);
    const { state } = this;
    if (match.device !== state.match.device) state.take({ ...state.match, device: match.device }, state.other);
  }

  private adjust(match: Match): void {
    this.match = match;
    this.emit("settings", undefined);
    this.change();
  }

  /** What is asked for `frame` by a client of its own. */
  request(frame: number, client: string, serial: number, match = this.match): FollowRequest {
    return { ...asked(this, match), client, serial, frame };
  }

  change(): void {
    this.late = true;
    if (this.state.tab === this.subject.tab && this.state.is_there && !this.running) void this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    this.state.busy(1);
    while (this.late && this.state.tab === this.subject.tab) {
      this.late = false;
      try {
        await meet_again(this.state);
        await this.find(this.other);
        this.emit("refused", { field: "", message: "" });
        this.emit("answer", undefined);
        if (this.answer && this.is_current) this.emit("told", this.subject.told(this.answer.json));
        this.state.emit("drawn", undefined);
      } catch (error) {
        await this.tell(error);
      }
    }
    this.running = false;
    this.state.busy(-1);
  }

  private async find(other: Match | undefined): Promise<void> {
    const { subject, state, client, match } = this;
    const serial = ++this.serial;
    if (!other) {
      this.answer = await subject.ask(this.request(state.frame, client, serial));
      this.found_with = match;
      this.other_answer = undefined;
      return;
    }
    const { frame } = state;
    const both = await subject.ask_both({ client, serial, frame, a: asked(this, match), b: asked(this, other) });
    this.answer = side(both, "a");
    this.found_with = match;
    this.other_answer = side(both, "b");
    this.emit("compared", both.json);
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
