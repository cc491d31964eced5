// SPDX-License-Identifier: Apache-2.0
// How the page is built: few files, no content that a strict content-security policy refuses.
import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 1000 },
});
