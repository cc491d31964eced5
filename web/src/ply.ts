// SPDX-License-Identifier: Apache-2.0
// Point clouds as files: binary PLY, little endian, as `vergence stereo --cloud` has it.

export interface CloudPoints {
  /** x right, y up, z towards the viewer, in metres. */
  positions: Float32Array;
  colours: Uint8Array;
  count: number;
}

const point_bytes = 15;

/** In the camera's axes: x right, y down, z away from it. */
export function ply({ positions, colours, count }: CloudPoints): Blob {
  const head = [
    "ply",
    "format binary_little_endian 1.0",
    `element vertex ${count}`,
    ...["x", "y", "z"].map((axis) => `property float ${axis}`),
    ...["red", "green", "blue"].map((colour) => `property uchar ${colour}`),
    "end_header\n",
  ].join("\n");
  const data = new DataView(new ArrayBuffer(count * point_bytes));
  for (let i = 0; i < count; i++) {
    const at = i * point_bytes;
    data.setFloat32(at, positions[3 * i], true);
    data.setFloat32(at + 4, -positions[3 * i + 1], true);
    data.setFloat32(at + 8, -positions[3 * i + 2], true);
    for (let c = 0; c < 3; c++) data.setUint8(at + 12 + c, colours[3 * i + c]);
  }
  return new Blob([head, data.buffer]);
}
