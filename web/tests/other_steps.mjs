// SPDX-License-Identifier: Apache-2.0
// Steps of live sources, and of files below the root.
import assert from "node:assert/strict";
import { createWriteStream, readFileSync } from "node:fs";
import { check_accessibility } from "./accessibility.mjs";
import { folder, hash_of_program, idle, new_hash } from "./browser.mjs";
import { check_layout } from "./layout.mjs";

export const root_steps = {
  async "a pair below the root is opened"(page) {
    await page.click("#tab-Files");
    await page.click('.files button:has-text("clip/")');
    for (const name of ["left_0001.png", "right_0001.png"]) await page.click(`.files button:text-matches("^${name}")`);
    assert.equal(await page.inputValue("#open-right"), "clip/right_0001.png");
    await page.fill("#open-calibration", "clip/calib.txt");
    await check_accessibility(page);
    await page.screenshot({ path: `${folder}/files.png` });
    await page.click("#open");
    await page.waitForFunction(() =>
      /clip\/left_0001.png, .*clip\/right_0001.png/.test(document.querySelector(".scene")?.textContent),
    );
    const hash = await new_hash(page, "");
    assert.equal(hash, await hash_of_program(page));
  },
  async "a scene that is closed leads back to the first one"(page) {
    const { origin, search } = new URL(page.url());
    await page.goto(`${origin}/?scene=99`);
    await page.click("text=Go to the scene of the command line");
    await idle(page);
    assert.equal(new URL(page.url()).search, "");
    await page.goto(`${origin}/${search}`);
    await idle(page);
  },
  async "what cannot be opened is told"(page) {
    await page.click("#tab-Files");
    await page.fill("#open-left", "../secret.png");
    await page.click("#open");
    await page.waitForFunction(() => /is not taken/.test(document.getElementById("files-refused").textContent));
  },
  async "files are saved below the root, and none is replaced"(page) {
    await page.check('label:has-text("Save files here") input');
    await page.click("#tab-Maps");
    for (const name of ["settings.json", "settings-2.json"]) {
      await page.locator('button:has-text("Save settings (JSON)"):visible').click();
      await page.locator(`text=Saved ${name} below the root`).first().waitFor();
    }
    const { settings } = JSON.parse(readFileSync(`${folder}/settings-2.json`, "utf8"));
    assert.ok(settings.window);
    await page.locator('button:has-text("Save view (PNG)"):visible').click();
    await page.locator("text=Saved disparity.png below the root").first().waitFor();
    // All pixels: the width stands 16 bytes behind the beginning of a PNG.
    const { width } = await page.evaluate(
      async () => (await (await fetch(`/api/scene${location.search}`)).json()).size,
    );
    assert.equal(readFileSync(`${folder}/disparity.png`).readUInt32BE(16), width);
  },
  async "what is doubtful about a scene stands above it"(page) {
    await page.click("#tab-Files");
    await page.fill("#open-left", "clip.y4m");
    await page.click("#open");
    const warning = page.locator("body > .warning");
    await warning.waitFor();
    assert.match(await warning.textContent(), /^Warning: \S*clip\.y4m does not tell how many frames it has/);
    await idle(page);
    await check_accessibility(page);
    await page.screenshot({ path: `${folder}/warning.png` });
  },
};

/** Writes the frames of a Y4M file into a named pipe again and again, until nobody reads. */
export async function camera(file, pipe) {
  const bytes = readFileSync(file);
  const head = bytes.indexOf(10) + 1;
  const out = createWriteStream(pipe);
  out.on("error", () => undefined);
  out.write(bytes.subarray(0, head));
  while (!out.destroyed) {
    await new Promise((done) => out.write(bytes.subarray(head), done));
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Waits until so many frames more have come to the server. */
async function frames_on(page, count) {
  await page.evaluate(async (count) => {
    const newest = async (after) => (await (await fetch(`/api/live?after=${after}`)).json()).frame;
    const wanted = (await newest(-1)) + count;
    for (let frame = -1; frame < wanted; ) frame = await newest(wanted - 1);
  }, count);
}

export const live_steps = {
  async "a live source is followed, in motion and tracks"(page) {
    const number = async () => Number(/frame (\d+)/.exec(await page.textContent("#live"))?.[1] ?? -1);
    for (const [tab, part] of [
      ["Motion", "motion"],
      ["Tracks", "track"],
    ]) {
      await page.click(`#tab-${tab}`);
      await page.waitForSelector(`[data-${part}="hash"]`);
      const before = await number();
      await page.waitForFunction(
        (old) => Number(/frame (\d+)/.exec(document.getElementById("live").textContent)[1]) > old + 2,
        before,
      );
    }
  },
  async "settings are tried on the frame of a pause, long after it came"(page) {
    await page.click("#pause");
    await page.waitForFunction(() => /paused at frame \d+/.test(document.getElementById("live").textContent));
    await idle(page);
    await frames_on(page, 30); // more than are kept
    const before = await page.textContent('[data-track="hash"]');
    await page.fill("#track-setting-window", "9");
    await page.press("#track-setting-window", "Enter");
    await new_hash(page, before, "track");
    assert.equal(await page.textContent("#track-refused"), "");
    await page.click("#tab-Motion");
    await idle(page);
    assert.equal(await page.textContent("#motion-refused"), "");
    await page.click("#tab-Tracks");
    await page.screenshot({ path: `${folder}/live.png` });
    await check_layout(page, "live tracks");
    await check_accessibility(page);
    await page.click("#pause");
    await page.waitForFunction(() => /not shown/.test(document.getElementById("live").textContent));
  },
};
