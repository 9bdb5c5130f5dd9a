// Poincaré disks. The view is an isometry of the disk, then a zoom of the picture.
(() => {
  const { IDENTITY, compose, inverse, apply, carry, move } = isometry;
  const { classAt } = regions;
  const { element } = panels;
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("viewer-data").textContent);
  if (!data.disks.length) return;

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
      if (method.regions) method.codes = await inflate(method.regions, Uint8Array);
      method.guess = await inflate(method.held_out, Int16Array);
    }));
    disk.ready = true;
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
    return { side, cx: side / 2 + view.x, cy: side / 2 + view.y, r: (side / 2 - 8) * view.zoom };
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
    const radius = Math.min(5.5, Math.max(2.2, 95 / Math.sqrt(n))) * Math.sqrt(Math.max(0.45, side / 600)) * Math.min(1.6, view.zoom ** 0.3);
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
      context.strokeStyle = disk.edges[code];
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
    if (!side) return;
    const ratio = Math.max(2, devicePixelRatio || 1), fine = moving ? 0.8 : ratio;
    canvas.width = canvas.height = Math.round(side * ratio);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.fillStyle = "#fff";
    context.fillRect(0, 0, side, side);
    if ($("v-regions").checked && method.codes) {
      context.drawImage(regions.paint(disk, method, view.map, Math.round(side * fine), cx * fine, cy * fine, r * fine), 0, 0, side, side);
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
    // A browser may give what is folded away no size.
    if (queued || !disk || !canvas.clientWidth) return;
    queued = true;
    requestAnimationFrame(draw);
  };

  const describe = (i) => {
    const x = disk.xy[2 * i], y = disk.xy[2 * i + 1];
    const distance = 2 * Math.atanh(Math.hypot(x, y)) / Math.sqrt(disk.curvature);
    const lines = [`${disk.classes[disk.classOf[i]]} · row ${disk.rowOf[i]}`];
    if (method.guess[i] >= 0) {
      lines.push(`predicted when left out: ${disk.classes[method.guess[i]]}${isWrong(disk, method, i) ? " (wrong)" : " (correct)"}`);
    }
    if (!method.codes) return lines;
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
    if (u * u + v * v >= 1 || (i < 0 && !method.codes)) { tip.hidden = true; return; }
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
  canvas.closest("details").addEventListener("toggle", redraw);

  const fillSelect = (select, values, chosen) => {
    select.replaceChildren(...values.map(([value, shown]) => element("option", shown, { value })));
    select.value = chosen;
  };

  const setMethod = (name) => {
    method = disk.methods.find((item) => item.name === name) ?? disk.methods[0];
    $("v-method").value = method.name;
    [...$("v-thumbs").children].forEach((button, i) => button.setAttribute("aria-pressed", disk.methods[i] === method));
    canvas.setAttribute("aria-label", `Poincaré disk of ${disk.shown[0]}, embedding ${disk.shown[1]}, regions of ${method.shown}`);
    say([`${method.shown}: ${data.metric} ${method.score}`]);
    $("v-confusion").replaceChildren(...panels.confusion(disk, method));
    $("v-calibration").replaceChildren(...panels.calibration(disk, method));
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
    fillSelect($("v-embedding"), siblings.map((other) => [other.embedding, other.shown[1]]), disk.embedding);
    fillSelect($("v-method"), disk.methods.map((item) => [item.name, item.shown]), method.name);
    $("v-legend").replaceChildren(...panels.legend(disk, data.markers, hidden, redraw));
    $("v-thumbs").replaceChildren(...panels.thumbs(disk, method, (chosen) => choose(setMethod(chosen))));
    const drawn = disk.classOf.length;
    $("v-regions").parentElement.hidden = !method.codes;
    $("v-projected").hidden = Boolean(method.codes);
    $("v-projected").textContent = disk.dimension === 2 ? "No decision regions, because the run kept no models." : `${disk.dimension} dimensions, projected onto the plane of largest variance; decision regions exist in two dimensions only.`;
    $("v-files").textContent = `Small disks: ${data.metric}, mean ± standard deviation over folds, ordered by mean.`
      + (drawn < disk.n ? ` ${drawn} of ${disk.n} points are drawn, in equal proportion from each class; scores and counts use all points.` : "")
      + " ";
    $("v-files").append(panels.files("All panels:", `figures/disk/${disk.dataset}/${disk.embedding}`));
    reset();
    setMethod(method.name);
  };

  fillSelect($("v-dataset"), [...new Map(data.disks.map((item) => [item.dataset, item.shown[0]]))], data.disks[0].dataset);
  // Chosen by the reader: the address keeps it.
  const choose = async (change) => {
    await change;
    places.remember("disk", disk.dataset, disk.embedding, method.name);
  };
  const find = (dataset, embedding) => data.disks.find((item) => item.dataset === dataset && (embedding ?? item.embedding) === item.embedding);
  $("v-dataset").addEventListener("change", (event) => choose(setDisk(find(event.target.value))));
  $("v-embedding").addEventListener("change", (event) => choose(setDisk(find(disk.dataset, event.target.value))));
  $("v-method").addEventListener("change", (event) => choose(setMethod(event.target.value)));

  // #disk/DATASET/EMBEDDING/METHOD shows that disk.
  const show = async () => {
    const [kind, dataset, embedding, name] = places.here().split("/");
    const asked = kind === "disk" && find(dataset, embedding);
    if (asked) {
      await setDisk(asked);
      setMethod(name);
      places.show($("viewer"));
    } else if (!disk) await setDisk(data.disks[0]);
  };
  addEventListener("hashchange", show);
  // Not before the page is there to read.
  addEventListener("load", () => setTimeout(show));
})();
