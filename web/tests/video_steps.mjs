// SPDX-License-Identifier: Apache-2.0
// Steps of videos: motion and tracks.
import assert from "node:assert/strict";
import { check_accessibility } from "./accessibility.mjs";
import { folder, hash_of_program, idle, new_hash, patience } from "./browser.mjs";
import { check_layout } from "./layout.mjs";

const visible_sweep = 'section[aria-label="Sweep"]:visible';

/** A sweep of a setting of a panel, and a click on the second point of `metric`. */
async function sweep(page, part, setting, [from, to, step], metric) {
  const panel = page.locator(visible_sweep);
  await panel.locator('label:has-text("Setting") select').first().selectOption(setting);
  for (const [label, value] of [
    ["from", from],
    ["to", to],
    ["step", step],
  ])
    await panel.locator(`label:has-text("${label}") input[type="number"]`).first().fill(String(value));
  await panel.locator(`#${part}-sweep`).click();
  await panel.locator(`.plot.${metric} circle`).nth(1).click({ timeout: patience });
  assert.equal(await page.inputValue(`#${part}-setting-${setting}`), String(from + step));
  await idle(page);
}

/** Two devices agree, another value of a setting does not; `part` begins the ids. */
async function compare(page, part, setting, value) {
  const badge = `${part}-badge`;
  await page.click(`#${part}-keep`);
  await page.locator('section[aria-label="Comparison"]:visible select').selectOption("reference");
  await page.waitForFunction(
    (place) => {
      const told = document.getElementById(place);
      return told.textContent === "0 differing bytes" && /B: reference/.test(told.nextElementSibling.textContent);
    },
    badge,
    { timeout: patience },
  );
  await page.fill(`#${part}-setting-${setting}`, value);
  await page.press(`#${part}-setting-${setting}`, "Enter");
  await page.waitForFunction((place) => document.getElementById(place).dataset.equal === "no", badge);
  await idle(page);
  await page.screenshot({ path: `${folder}/${part}-comparison.png` });
  await check_layout(page, `${part} comparison`);
  await page.click(`#${part}-stop`);
  await idle(page);
}

/** What the canvases of a panel show. */
const drawn = (page, tab) => page.$eval(`#panel-${tab} .pane canvas`, (canvas) => canvas.toDataURL());

export const video_steps = {
  async "motion is what the program finds"(page) {
    assert.deepEqual(await page.locator('[role="tab"]').allTextContents(), ["Motion", "Tracks"]);
    const hash = await new_hash(page, "", "motion");
    assert.match(await page.textContent("#frame"), /frame 1 of 0 /);
    assert.equal(hash, await hash_of_program(page, "#motion-command"));
    await page.selectOption("#motion-setting-search", "hexagon");
    await page.fill("#motion-setting-block", "8");
    await page.press("#motion-setting-block", "Enter");
    const other = await new_hash(page, hash, "motion");
    assert.equal(other, await hash_of_program(page, "#motion-command"));
  },
  async "a refused setting of motion is told where it stands"(page) {
    await page.fill("#motion-setting-block", "5");
    await page.press("#motion-setting-block", "Enter");
    await page.waitForFunction(() => document.getElementById("motion-setting-block-refused").textContent !== "");
    await page.fill("#motion-setting-block", "8");
    await page.press("#motion-setting-block", "Enter");
    await page.waitForFunction(() => document.getElementById("motion-setting-block-refused").textContent === "");
    await idle(page);
  },
  async "every view of motion is drawn, and figures of all frames"(page) {
    const seen = new Set();
    for (const view of ["frame", "field in colours", "compensated", "residue"]) {
      await page.selectOption("#panel-Motion select", view);
      seen.add(await drawn(page, "Motion"));
    }
    assert.equal(seen.size, 4);
    await page.selectOption("#panel-Motion select", "frame");
    await page.hover("#panel-Motion .marks", { position: { x: 60, y: 50 } });
    assert.match(await page.textContent("#panel-Motion .readout"), /block \d+, \d+ {3}vector .* px {3}length/);
    await page.click("#measure");
    await page.waitForFunction(() => document.querySelectorAll(".plot.motion-psnr circle").length === 2);
    await page.screenshot({ path: `${folder}/motion.png` });
    await check_layout(page, "motion");
    await check_accessibility(page);
  },
  async "motion of two devices agrees, that of two settings differs"(page) {
    await compare(page, "motion", "block", "16");
  },
  async "a sweep of motion draws its plots, and a point takes its value"(page) {
    await sweep(page, "motion", "block", [8, 16, 8], "psnr");
    await page.locator(visible_sweep).screenshot({ path: `${folder}/motion-sweep.png` });
  },
  async "tracks are what the program finds"(page) {
    await page.click("#tab-Tracks");
    const hash = await new_hash(page, "", "track");
    assert.equal(hash, await hash_of_program(page, "#track-command"));
    await page.click('button[aria-label="One frame on"]');
    const other = await new_hash(page, hash, "track");
    assert.equal(other, await hash_of_program(page, "#track-command"));
    assert.match(await page.textContent(".reasons"), /outside: \d+/);
  },
  async "the track under the pointer is read, by keys too"(page) {
    await page.focus("#panel-Tracks .marks");
    for (let i = 0; i < 40 && !(await page.isVisible("#track-table")); i++)
      await page.keyboard.press(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft"][i % 4]);
    assert.match(await page.textContent("#track-table"), /age.*frames.*residual.*grey levels.*way back/s);
    await page.screenshot({ path: `${folder}/tracks.png` });
    await check_layout(page, "tracks");
    await check_accessibility(page);
  },
  async "tracks of two devices agree, those of two settings differ"(page) {
    await compare(page, "track", "window", "9");
  },
  async "a sweep of tracks draws its plots, and a point takes its value"(page) {
    await sweep(page, "track", "window", [7, 9, 2], "survival");
    await page.locator(visible_sweep).screenshot({ path: `${folder}/track-sweep.png` });
  },
  async "a tablet shows motion and tracks"(page) {
    await page.setViewportSize({ width: 1024, height: 768 });
    for (const tab of ["Motion", "Tracks"]) {
      await page.click(`#tab-${tab}`);
      await idle(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(wide, false, "nothing is cut off at the right");
      await page.screenshot({ path: `${folder}/${tab}-tablet.png`, fullPage: true });
      await check_layout(page, `${tab}, tablet`);
    }
  },
};
