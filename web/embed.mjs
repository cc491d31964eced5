// SPDX-License-Identifier: Apache-2.0
// Builds the page and writes its files, compressed by gzip, as a C++ source: node embed.mjs OUTPUT.cpp
import { renameSync, writeFileSync } from "node:fs";
import { dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const most_bytes = 400_000;
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const output = process.argv[2];
const root = dirname(fileURLToPath(import.meta.url));
const built = await build({ root, logLevel: "warn", build: { write: false } });
const files = built.output
  .map((file) => ({ path: `/${file.fileName}`, content: file.type === "chunk" ? file.code : file.source }))
  .map(({ path, content }) => ({ path, type: types[extname(path)], bytes: gzipSync(content, { level: 9 }) }))
  .sort((a, b) => (a.path < b.path ? -1 : 1));

const untyped = files.find((file) => file.type === undefined);
if (untyped) throw new Error(`${untyped.path}: embed.mjs knows no content type for it`);
const total = files.reduce((sum, file) => sum + file.bytes.length, 0);
if (total > most_bytes) throw new Error(`the page takes ${total} bytes compressed; ${most_bytes} are allowed`);

const arrays = files.map((file, i) => `constexpr unsigned char file_${i}[] = {${[...file.bytes].join(",")}};`);
const entries = files.map((file, i) => `    {"${file.path}", "${file.type}", file_${i}},`);
writeFileSync(
  `${output}.new`,
  `// Generated from web/: ${total} bytes compressed.
#include "view/httplib/page.hpp"

namespace vergence::cli {
namespace {
${arrays.join("\n")}
constexpr PageFile files[] = {
${entries.join("\n")}
};
}  // namespace

std::span<const PageFile> page_files() { return files; }

}  // namespace vergence::cli
`,
);
renameSync(`${output}.new`, output);
