// Decision regions of a disk, from a coarse raster of class codes.
const regions = (() => {
  // The class at (x, y): the largest sum of quadratic spline weights over the nearest 3 x 3 cells,
  // so that boundaries are smooth although the raster is coarse.
  const votes = new Float64Array(256);
  const spline = (t) => [(0.5 - t) ** 2 / 2, 0.75 - t * t, (0.5 + t) ** 2 / 2];
  const classAt = (codes, n, x, y) => {
    const gx = Math.min(Math.max((x + 1) / 2 * n, 1), n - 1.001), i = gx | 0;
    const gy = Math.min(Math.max((y + 1) / 2 * n, 1), n - 1.001), j = gy | 0;
    const low = Math.min(i, n - 2) - 1 + (Math.min(j, n - 2) - 1) * n;
    const middle = codes[low + n + 1];
    let same = true;
    for (let k = 0; k < 9 && same; k++) same = codes[low + (k / 3 | 0) * n + k % 3] === middle;
    if (same) return middle;
    const u = spline(gx - i - 0.5), v = spline(gy - j - 0.5);
    let best = middle;
    for (let k = 0; k < 9; k++) votes[codes[low + (k / 3 | 0) * n + k % 3]] = 0;
    for (let k = 0; k < 9; k++) {
      const code = codes[low + (k / 3 | 0) * n + k % 3];
      votes[code] += u[k % 3] * v[k / 3 | 0];
      if (votes[code] > votes[best]) best = code;
    }
    return best;
  };

  const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  const layer = document.createElement("canvas");

  // Fill `size`² pixels; the disk has its centre at (cx, cy) and radius r, in pixels.
  const paint = (disk, method, map, size, cx, cy, r, lines = true) => {
    const { codes, size: n } = method, back = isometry.inverse(map);
    const found = new Int16Array(size * size).fill(-1);
    layer.width = layer.height = size;
    const context = layer.getContext("2d"), image = context.createImageData(size, size);
    const pixels = image.data, tints = disk.tints.map(rgb);
    for (let py = 0, at = 0; py < size; py++) {
      const v = (cy - py - 0.5) / r;
      for (let px = 0; px < size; px++, at++) {
        const u = (px + 0.5 - cx) / r;
        if (u * u + v * v >= 1) continue;
        const [x, y] = isometry.apply(back, u, v);
        const code = (found[at] = classAt(codes, n, x, y));
        const left = px ? found[at - 1] : code, up = py ? found[at - size] : code;
        const edge = lines && ((left >= 0 && left !== code) || (up >= 0 && up !== code));
        const colour = tints[code];
        for (let k = 0; k < 3; k++) pixels[4 * at + k] = edge ? 255 : colour[k];
        pixels[4 * at + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
    return layer;
  };

  return { classAt, paint };
})();
