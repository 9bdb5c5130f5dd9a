// Poincaré disks. The view is an isometry of the disk, then a zoom of the picture.
// An isometry z -> (a z + b) / (conj(b) z + conj(a)), |a|² - |b|² = 1, is kept as [Re a, Im a, Re b, Im b].
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("viewer-data").textContent);
  if (!data.disks.length) return;

  const IDENTITY = [1, 0, 0, 0];
  const compose = ([ar, ai, br, bi], [cr, ci, dr, di]) => {
    const m = [
      ar * cr - ai * ci + br * dr + bi * di, ar * ci + ai * cr + bi * dr - br * di,
      ar * dr - ai * di + br * cr + bi * ci, ar * di + ai * dr + bi * cr - br * ci,
    ];
    // Rounding would let the determinant drift from one over a long drag.
    const size = Math.sqrt(m[0] ** 2 + m[1] ** 2 - m[2] ** 2 - m[3] ** 2);
    return m.map((v) => v / size);
  };
  const inverse = ([ar, ai, br, bi]) => [ar, -ai, -br, -bi];
  const apply = ([ar, ai, br, bi], x, y) => {
    const nr = ar * x - ai * y + br, ni = ar * y + ai * x + bi;
    const dr = br * x + bi * y + ar, di = br * y - bi * x - ai;
    const size = dr * dr + di * di;
    return [(nr * dr + ni * di) / size, (ni * dr - nr * di) / size];
  };
  const carry = ([x, y]) => {
    const s = 1 / Math.sqrt(1 - x * x - y * y);
    return [s, 0, x * s, y * s];
  };
  // The translation along the geodesic from p to q.
  const move = (p, q) => {
    const there = carry(p), back = inverse(there);
    return compose(there, compose(carry(apply(back, ...q)), back));
  };

  const inflate = async (text, Type) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Type(await new Response(stream).arrayBuffer());
  };
  const unpack = async (disk) => {
    if (disk.ready) return;
    disk.rowOf = await inflate(disk.rows, Int32Array);
    disk.xy = await inflate(disk.points, Float32Array);
    disk.classOf = await inflate(disk.labels, Int16Array);
    await Promise.all(disk.methods.map(async (method) => {
      method.codes = await inflate(method.regions, Uint8Array);
      method.guess = await inflate(method.held_out, Int16Array);
    }));
    disk.ready = true;
  };

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
  const paintRegions = (disk, method, map, size, cx, cy, r, lines = true) => {
    const { codes, size: n } = method, back = inverse(map);
    const found = new Int16Array(size * size).fill(-1);
    layer.width = layer.height = size;
    const context = layer.getContext("2d"), image = context.createImageData(size, size);
    const pixels = image.data, tints = disk.tints.map(rgb);
    for (let py = 0, at = 0; py < size; py++) {
      const v = (cy - py - 0.5) / r;
      for (let px = 0; px < size; px++, at++) {
        const u = (px + 0.5 - cx) / r;
        if (u * u + v * v >= 1) continue;
        const [x, y] = apply(back, u, v);
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

  const outline = (code, radius) => {
    const points = data.markers[code % data.markers.length], path = new Path2D();
    for (let i = 0; i < points.length; i += 2) path.lineTo(points[i] * radius, -points[i + 1] * radius);
    path.closePath();
    return path;
  };
  const isWrong = (disk, method, i) => method.guess[i] >= 0 && method.guess[i] !== disk.classOf[i];

  const canvas = $("v-disk"), tip = $("v-tip");
  const view = { map: IDENTITY, zoom: 1, x: 0, y: 0 };
  let disk, method, hidden = new Set(), screen = [], picked = -1, moving = false, queued = false;

  const frame = () => {
    const side = canvas.clientWidth;
    return { side, cx: side / 2 + view.x, cy: side / 2 + view.y, r: (side / 2 - 4) * view.zoom };
  };
  const toDisk = (x, y) => {
    const { cx, cy, r } = frame();
    return [(x - cx) / r, (cy - y) / r];
  };

  const drawCircles = (context, { cx, cy, r }) => {
    context.strokeStyle = "#5b6570";
    context.lineWidth = 0.7;
    context.setLineDash([4, 3]);
    for (let distance = 1; distance <= 8; distance++) {
      const radius = Math.tanh(distance * Math.sqrt(disk.curvature) / 2);
      context.beginPath();
      for (let k = 0; k <= 180; k++) {
        const angle = k * Math.PI / 90;
        const [x, y] = apply(view.map, radius * Math.cos(angle), radius * Math.sin(angle));
        context.lineTo(cx + r * x, cy - r * y);
      }
      context.stroke();
    }
    context.setLineDash([]);
  };

  const drawPoints = (context, { side, cx, cy, r }) => {
    const n = disk.classOf.length;
    const radius = Math.min(5.5, Math.max(2.2, 95 / Math.sqrt(n))) * Math.min(1.6, view.zoom ** 0.3);
    const paths = disk.classes.map((_, code) => outline(code, radius));
    screen = [];
    for (let i = 0; i < n; i++) {
      const code = disk.classOf[i];
      if (hidden.has(code)) continue;
      const [x, y] = apply(view.map, disk.xy[2 * i], disk.xy[2 * i + 1]);
      const sx = cx + r * x, sy = cy - r * y;
      if (sx < -9 || sy < -9 || sx > side + 9 || sy > side + 9) continue;
      screen.push([sx, sy, i]);
      context.save();
      context.translate(sx, sy);
      context.fillStyle = disk.colours[code];
      context.fill(paths[code]);
      context.lineWidth = 0.6;
      context.strokeStyle = "#fff";
      context.stroke(paths[code]);
      context.restore();
    }
    context.strokeStyle = "#1b1f24";
    for (const [sx, sy, i] of screen) {
      const wrong = $("v-errors").checked && isWrong(disk, method, i);
      if (!wrong && i !== picked) continue;
      context.lineWidth = i === picked ? 2.4 : 1;
      context.beginPath();
      context.arc(sx, sy, radius + (i === picked ? 5 : 2.5), 0, 2 * Math.PI);
      context.stroke();
    }
  };

  const draw = () => {
    queued = false;
    const place = frame(), { side, cx, cy, r } = place;
    const ratio = Math.max(2, devicePixelRatio || 1), fine = moving ? 0.8 : ratio;
    canvas.width = canvas.height = Math.round(side * ratio);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.fillStyle = "#fff";
    context.fillRect(0, 0, side, side);
    if ($("v-regions").checked) {
      context.drawImage(paintRegions(disk, method, view.map, Math.round(side * fine), cx * fine, cy * fine, r * fine), 0, 0, side, side);
    }
    if ($("v-circles").checked) drawCircles(context, place);
    context.strokeStyle = "#5b6570";
    context.lineWidth = 1.4;
    context.beginPath();
    context.arc(cx, cy, r, 0, 2 * Math.PI);
    context.stroke();
    drawPoints(context, place);
  };
  const redraw = () => {
    if (queued || !disk) return;
    queued = true;
    requestAnimationFrame(draw);
  };

  const describe = (i) => {
    const x = disk.xy[2 * i], y = disk.xy[2 * i + 1];
    const distance = 2 * Math.atanh(Math.hypot(x, y)) / Math.sqrt(disk.curvature);
    const lines = [`${disk.classes[disk.classOf[i]]} · row ${disk.rowOf[i]}`];
    if (method.guess[i] >= 0) {
      lines.push(`left out: ${disk.classes[method.guess[i]]}${isWrong(disk, method, i) ? " (wrong)" : " (right)"}`);
    }
    lines.push(`region: ${disk.classes[classAt(method.codes, method.size, x, y)]}`);
    lines.push(`${distance.toFixed(2)} from the origin`);
    return lines;
  };
  const nearest = (x, y) => {
    let found = -1, least = 12 ** 2;
    for (const [sx, sy, i] of screen) {
      const d = (sx - x) ** 2 + (sy - y) ** 2;
      if (d < least) { least = d; found = i; }
    }
    return found;
  };
  const say = (lines) => { $("v-status").textContent = lines.join(" · "); };
  const hover = (x, y) => {
    const [u, v] = toDisk(x, y), i = nearest(x, y);
    if (u * u + v * v >= 1) { tip.hidden = true; return; }
    const lines = i >= 0 ? describe(i) : [`region: ${disk.classes[classAt(method.codes, method.size, ...apply(inverse(view.map), u, v))]}`];
    if (i !== picked) { picked = i; redraw(); }
    tip.textContent = lines.join("\n");
    tip.hidden = false;
    const side = canvas.clientWidth;
    tip.style.left = `${x < side / 2 ? x + 16 : Math.max(0, x - 16 - tip.offsetWidth)}px`;
    tip.style.top = `${Math.min(y + 12, side - tip.offsetHeight)}px`;
    say(lines);
  };

  const zoomAt = (factor, x = canvas.clientWidth / 2, y = canvas.clientWidth / 2) => {
    const zoom = Math.min(40, Math.max(1, view.zoom * factor)), half = canvas.clientWidth / 2;
    const change = zoom / view.zoom;
    view.x = zoom === 1 ? 0 : x - half - (x - half - view.x) * change;
    view.y = zoom === 1 ? 0 : y - half - (y - half - view.y) * change;
    view.zoom = zoom;
    redraw();
  };
  const reset = () => { Object.assign(view, { map: IDENTITY, zoom: 1, x: 0, y: 0 }); redraw(); };
  const drag = (x0, y0, x1, y1) => {
    const p = toDisk(x0, y0), q = toDisk(x1, y1);
    if (Math.hypot(...p) > 0.97 || Math.hypot(...q) > 0.97) return;
    view.map = compose(move(p, q), view.map);
    redraw();
  };

  const pointers = new Map();
  const local = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, local(event));
    tip.hidden = true;
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = local(event), before = pointers.get(event.pointerId);
    if (!before) { if (event.pointerType !== "touch") hover(...now); return; }
    moving = true;
    if (pointers.size === 2) {
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
      const gap = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      zoomAt(gap(now) / gap(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    } else if (event.shiftKey) {
      view.x += now[0] - before[0];
      view.y += now[1] - before[1];
      redraw();
    } else drag(...before, ...now);
    pointers.set(event.pointerId, now);
  });
  const release = (event) => {
    pointers.delete(event.pointerId);
    if (event.type === "pointerup" && !moving) hover(...local(event));
    moving = pointers.size > 0;
    redraw();
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("dblclick", reset);
  // Only once the disk has been clicked: the page must scroll past it.
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey) return;
    event.preventDefault();
    zoomAt(Math.exp(-event.deltaY / 400), ...local(event));
  }, { passive: false });

  const step = (by) => {
    if (!screen.length) return;
    const at = screen.findIndex(([, , i]) => i === picked);
    picked = screen[(at + by + screen.length) % screen.length][2];
    say(describe(picked));
    redraw();
  };
  const shift = (x, y) => { view.map = compose(carry([x, y]), view.map); redraw(); };
  const KEYS = {
    ArrowLeft: () => shift(0.1, 0), ArrowRight: () => shift(-0.1, 0),
    ArrowUp: () => shift(0, -0.1), ArrowDown: () => shift(0, 0.1),
    "+": () => zoomAt(1.25), "=": () => zoomAt(1.25), "-": () => zoomAt(0.8), 0: reset,
    n: () => step(1), p: () => step(-1),
  };
  canvas.addEventListener("keydown", (event) => {
    const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  const save = () => canvas.toBlob((blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${disk.dataset}_${disk.embedding}_${method.name}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  const BUTTONS = { in: () => zoomAt(1.4), out: () => zoomAt(1 / 1.4), reset, save };
  for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", BUTTONS[button.dataset.do]);
  for (const id of ["v-regions", "v-errors", "v-circles"]) $(id).addEventListener("change", redraw);
  addEventListener("resize", redraw);

  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const breakable = (name) => name.split(/(?<=_)/).flatMap((part) => [part, document.createElement("wbr")]);
  const fillSelect = (select, values, chosen) => {
    select.replaceChildren(...values.map((value) => element("option", value)));
    select.value = chosen;
  };

  const showLegend = () => {
    $("v-legend").replaceChildren(...disk.classes.map((name, code) => {
      const points = data.markers[code % data.markers.length].map((v, i) => (i % 2 ? -6 : 6) * v + 8);
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      const shape = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
      shape.setAttribute("points", points.join(" "));
      shape.setAttribute("fill", disk.colours[code]);
      svg.setAttribute("viewBox", "0 0 16 16");
      svg.append(shape);
      const button = element("button", undefined, { type: "button", "aria-pressed": !hidden.has(code) });
      button.append(svg, `${name} (${disk.counts[code]})`);
      button.addEventListener("click", () => {
        if (!hidden.delete(code)) hidden.add(code);
        button.setAttribute("aria-pressed", !hidden.has(code));
        redraw();
      });
      return button;
    }));
  };

  const showConfusion = () => {
    const holder = $("v-confusion");
    holder.replaceChildren();
    const table = element("table", undefined, { class: "confusion" });
    const head = table.createTHead().insertRow();
    head.append(element("td"), ...disk.classes.map((name) => element("th", name, { scope: "col", title: name })));
    const body = table.createTBody();
    method.confusion.forEach((counts, truth) => {
      const row = body.insertRow(), total = counts.reduce((a, b) => a + b, 0) || 1;
      row.append(element("th", disk.classes[truth], { scope: "row", title: disk.classes[truth] }));
      counts.forEach((n, guess) => {
        const cell = element("td", n || "·", { title: `${disk.classes[truth]} taken for ${disk.classes[guess]}: ${n}` });
        cell.className = truth === guess ? "right" : "wrong";
        cell.style.setProperty("--s", (0.6 * n / total).toFixed(3));
        row.append(cell);
      });
    });
    holder.append(element("p", "Rows when left out: true class (down) by predicted class (across); shading: share of the true class.", { class: "note" }), table);
  };

  const drawThumb = (target, item) => {
    const size = 160;
    target.width = target.height = size;
    const context = target.getContext("2d");
    context.drawImage(paintRegions(disk, item, IDENTITY, size, size / 2, size / 2, size / 2 - 2, false), 0, 0);
    for (let i = 0; i < disk.classOf.length; i++) {
      context.fillStyle = disk.colours[disk.classOf[i]];
      context.fillRect(size / 2 + (size / 2 - 2) * disk.xy[2 * i] - 1, size / 2 - (size / 2 - 2) * disk.xy[2 * i + 1] - 1, 2.4, 2.4);
    }
  };
  const showThumbs = () => {
    $("v-thumbs").replaceChildren(...disk.methods.map((item) => {
      const button = element("button", undefined, { type: "button", "aria-pressed": item === method });
      const picture = element("canvas", undefined, { "aria-hidden": "true" });
      drawThumb(picture, item);
      button.append(picture, ...breakable(item.name), element("small", item.score));
      button.addEventListener("click", () => setMethod(item.name));
      return button;
    }));
  };

  const setMethod = (name) => {
    method = disk.methods.find((item) => item.name === name) ?? disk.methods[0];
    $("v-method").value = method.name;
    [...$("v-thumbs").children].forEach((button, i) => button.setAttribute("aria-pressed", disk.methods[i] === method));
    canvas.setAttribute("aria-label", `Poincaré disk of ${disk.dataset}, ${disk.embedding}, regions of ${method.name}`);
    say([`${method.name}: ${method.score}, ${data.metric}`]);
    showConfusion();
    redraw();
  };
  const setDisk = async (next) => {
    await unpack(next);
    const name = method && method.name;
    disk = next;
    method = disk.methods.find((item) => item.name === name) ?? disk.methods[0];
    hidden = new Set();
    picked = -1;
    const siblings = data.disks.filter((other) => other.dataset === disk.dataset);
    $("v-dataset").value = disk.dataset;
    fillSelect($("v-embedding"), siblings.map((other) => other.embedding), disk.embedding);
    fillSelect($("v-method"), disk.methods.map((item) => item.name), method.name);
    showLegend();
    showThumbs();
    const drawn = disk.classOf.length;
    $("v-files").textContent = `Small disks: ${data.metric}, mean ± standard deviation over folds, best first.`
      + (drawn < disk.n ? ` ${drawn} of ${disk.n} points are drawn, evenly from each class; scores and counts use all.` : "")
      + ` All panels are saved as figures/disk_${disk.dataset}_${disk.embedding}.png, .svg and .pdf.`;
    reset();
    setMethod(method.name);
  };

  fillSelect($("v-dataset"), [...new Set(data.disks.map((item) => item.dataset))], data.disks[0].dataset);
  $("v-dataset").addEventListener("change", (event) => setDisk(data.disks.find((item) => item.dataset === event.target.value)));
  $("v-embedding").addEventListener("change", (event) => setDisk(data.disks.find((item) => item.dataset === disk.dataset && item.embedding === event.target.value)));
  $("v-method").addEventListener("change", (event) => setMethod(event.target.value));
  setDisk(data.disks[0]);
})();
