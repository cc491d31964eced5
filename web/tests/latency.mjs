// SPDX-License-Identifier: Apache-2.0
// Times from the move of a slider to the map on the screen: node latency.mjs PROGRAM FOLDER [MOVES [DEVICE]]
// Started by scripts/bench-view. The clock is the page's: from the slider's event to the task after the frame in which the
// map was drawn; before each move the page rests. "server" is the time of a whole request less that of the match, by
// requests without a page: of the pixels that the page shows, and of all. A page is ready when its controls stand and its
// pictures are there, by its own clock from the beginning of its loading; the first one starts the browser's parts, too.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { folder, idle, launch, no_browser, program, serve } from "./browser.mjs";

const moves = Number(process.argv[4] ?? 31);
const pages = 6;
const rest_ms = 200;
const device = process.argv[5] ?? "cpu";
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const spread = (values) =>
  `${median(values).toFixed(1)} [${Math.min(...values).toFixed(1)} .. ${Math.max(...values).toFixed(1)}]`;

/** Moves the slider of a setting by one step, and back in the next turn; ms to the screen, and those of the match. */
function move(page, turn) {
  return page.evaluate(async (turn) => {
    const slider = document.querySelector('input[aria-label="uniqueness, slider"]');
    const list = document.querySelector("dl.results");
    const changed = new Promise((done) =>
      new MutationObserver((_, observer) => {
        observer.disconnect();
        done();
      }).observe(list, { childList: true }),
    );
    slider.value = String(Number(slider.value) + (turn % 2 === 0 ? 1 : -1));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await changed;
    const number = (name) => Number.parseFloat(document.querySelector(`[data-result="${name}"]`).textContent);
    return { screen: number("change-to-screen"), match: number("match") };
  }, turn);
}

/** Requests of maps without a page, ms: the whole less the match. `every`: so-many-th pixels alone. */
async function beside_matching(address, every) {
  const token = new URL(address).searchParams.get("token");
  const times = [];
  for (let turn = 0; turn < moves; ++turn) {
    const body = JSON.stringify({
      client: `bench-${every}`,
      serial: turn + 1,
      device,
      settings: { uniqueness: 5 + (turn % 2) },
      every,
    });
    const start = performance.now();
    const answer = await fetch(new URL("/api/stereo", address), {
      method: "POST",
      headers: { "content-type": "application/json", "x-vergence-token": token },
      body,
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const whole = performance.now() - start;
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const { ms } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    if (turn > 2) times.push(whole - ms.match);
  }
  return times;
}

/** Of a new page, ms. */
async function ready_time(context, address) {
  const page = await context.newPage();
  await page.goto(address);
  await idle(page);
  const time = await page.evaluate(() => performance.getEntriesByName("ready")[0].startTime);
  await page.close();
  return time;
}

async function measure(browser, size, disparities) {
  const width = Number(size.split("x")[0]);
  mkdirSync(folder, { recursive: true });
  spawnSync(program, ["synth", `scene_${size}`, "--size", size, "--samples", "1"], { cwd: folder });
  const pair = [`scene_${size}/left.png`, `scene_${size}/right.png`];
  const { child, address } = await serve(
    ...pair,
    "--device",
    device,
    "--disparities",
    String(disparities),
    "--min-disparity",
    "0",
  );
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const ready = [];
    for (let i = 0; i < pages; ++i) ready.push(await ready_time(context, address));
    const page = await context.newPage();
    await page.goto(address);
    await idle(page);
    const every = await page.$eval(".pane.first canvas", (canvas, width) => Math.ceil(width / canvas.width), width);
    const found = [];
    for (let turn = 0; turn < moves; ++turn) {
      await page.waitForTimeout(rest_ms);
      const one = await move(page, turn);
      await idle(page);
      if (turn > 2) found.push(one);
    }
    await page.close();
    const part = await beside_matching(address, every);
    const all = await beside_matching(address, 1);
    const columns = [
      spread(found.map((one) => one.screen)),
      spread(found.map((one) => one.match)),
      `${spread(part)} (1 of ${every * every})`,
      spread(all),
      `${ready[0].toFixed(0)}; ${spread(ready.slice(1))}`,
    ];
    console.log(`| ${size}, ${disparities} disparities, ${device} | ${columns.join(" | ")} |`);
  } finally {
    child.kill("SIGINT");
    await context.close();
  }
}

if (no_browser) {
  console.log(no_browser);
  process.exit(1);
}
const browser = await launch();
try {
  console.log("ms, median [least .. greatest]\n");
  console.log(
    "| pair | slider to screen | match | server beside the match | of all pixels | page ready: first; others |",
  );
  console.log("|---|---|---|---|---|---|");
  await measure(browser, "640x480", 64);
  await measure(browser, "1920x1080", 128);
} finally {
  await browser.close();
}
