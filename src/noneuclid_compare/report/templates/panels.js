// Around the disk: legend, confusion matrix, small disks. Texts are inserted as text, never as markup.
const panels = (() => {
  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const breakable = (name) => name.split(/(?<=_)/).flatMap((part) => [part, document.createElement("wbr")]);

  const SVG = "http://www.w3.org/2000/svg";
  const shape = (tag, attributes, title) => {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (title) made.append(Object.assign(document.createElementNS(SVG, "title"), { textContent: title }));
    return made;
  };

  // Buttons that hide and show the classes in the set `hidden`.
  const legend = (disk, markers, hidden, changed) =>
    disk.classes.map((name, code) => {
      const points = markers[code % markers.length].map((v, i) => (i % 2 ? -6 : 6) * v + 8);
      const svg = shape("svg", { viewBox: "0 0 16 16" });
      svg.append(shape("polygon", { points: points.join(" "), fill: disk.colours[code], stroke: disk.edges[code] }));
      const button = element("button", undefined, { type: "button", "aria-pressed": !hidden.has(code) });
      button.append(svg, `${name} (${disk.counts[code]})`);
      button.addEventListener("click", () => {
        if (!hidden.delete(code)) hidden.add(code);
        button.setAttribute("aria-pressed", !hidden.has(code));
        changed();
      });
      return button;
    });

  const confusion = (disk, method) => {
    const table = element("table", undefined, { class: "confusion" });
    const head = table.createTHead().insertRow();
    head.append(element("td"), ...disk.classes.map((name) => element("th", name, { scope: "col", title: name })));
    const body = table.createTBody();
    method.confusion.forEach((counts, truth) => {
      const row = body.insertRow(), total = counts.reduce((a, b) => a + b, 0) || 1;
      row.append(element("th", disk.classes[truth], { scope: "row", title: disk.classes[truth] }));
      counts.forEach((n, guess) => {
        const cell = element("td", n || "·", { title: `${disk.classes[truth]} predicted as ${disk.classes[guess]}: ${n}` });
        cell.className = truth === guess ? "right" : "wrong";
        cell.style.setProperty("--s", (0.6 * n / total).toFixed(3));
        row.append(cell);
      });
    });
    const word = disk.numeric ? "interval" : "class";
    return [element("p", `Test rows: true ${word} (rows) against predicted ${word} (columns). Shading: share of the true ${word}.`, { class: "note" }), table];
  };

  const percent = (share) => `${Math.round(100 * share)} %`;

  // Accuracy against predicted probability: on the diagonal if calibrated.
  const calibration = (disk, method) => {
    if (disk.numeric) return [];
    if (!method.reliability) return [element("p", "Calibration: not available, because the method predicts no probabilities.", { class: "note" })];
    const side = 200, pad = 30, top = 13, at = (x, y) => [pad + x * side, top + (1 - y) * side];
    const svg = shape("svg", { viewBox: `0 0 ${pad + side + top} ${side + top + 34}`, class: "calibration", role: "img" });
    svg.setAttribute("aria-label", `Calibration of ${method.shown}`);
    for (const tick of [0, 0.5, 1]) {
      const [x, y] = at(tick, tick);
      svg.append(
        shape("path", { d: `M${pad},${y}H${pad + side}M${x},${top}V${top + side}`, class: "grid" }),
        Object.assign(shape("text", { x: pad - 4, y: y + 4, "text-anchor": "end" }), { textContent: 100 * tick }),
        Object.assign(shape("text", { x, y: top + side + 13, "text-anchor": "middle" }), { textContent: 100 * tick }));
    }
    svg.append(Object.assign(shape("text", { x: pad + side / 2, y: top + side + 28, "text-anchor": "middle" }), { textContent: "predicted probability (%)" }));
    svg.append(shape("path", { d: `M${at(0, 0)}L${at(1, 1)}`, class: "ideal" }));
    const bins = method.reliability.filter(([rows]) => rows), total = bins.reduce((sum, [rows]) => sum + rows, 0);
    svg.append(shape("path", { d: `M${bins.map(([, probability, accuracy]) => at(probability, accuracy)).join("L")}`, class: "line" }));
    for (const [rows, probability, accuracy] of bins) {
      const [cx, cy] = at(probability, accuracy);
      svg.append(shape("circle", { cx, cy, r: 2.5 + 9 * Math.sqrt(rows / total) }, `${rows} rows: probability ${percent(probability)}, accuracy ${percent(accuracy)}`));
    }
    return [element("p", "Calibration on left-out rows: accuracy (vertical) by the probability of the predicted class (horizontal); area: number of rows. Below the dashed line: overconfident.", { class: "note" }), svg];
  };

  const drawThumb = (target, disk, item) => {
    const size = 160;
    target.width = target.height = size;
    const context = target.getContext("2d");
    if (item.codes) context.drawImage(regions.paint(disk, item, isometry.IDENTITY, size, size / 2, size / 2, size / 2 - 2, false), 0, 0);
    for (let i = 0; i < disk.classOf.length; i++) {
      context.fillStyle = disk.colours[disk.classOf[i]];
      context.fillRect(size / 2 + (size / 2 - 2) * disk.xy[2 * i] - 1, size / 2 - (size / 2 - 2) * disk.xy[2 * i + 1] - 1, 2.4, 2.4);
    }
  };
  const thumbs = (disk, chosen, choose) =>
    disk.methods.map((item) => {
      const button = element("button", undefined, { type: "button", "aria-pressed": item === chosen });
      const picture = element("canvas", undefined, { "aria-hidden": "true" });
      drawThumb(picture, disk, item);
      button.append(picture, ...breakable(item.shown), element("small", item.score));
      button.addEventListener("click", () => choose(item.name));
      return button;
    });

  const KINDS = { PNG: "png", SVG: "svg", PDF: "pdf", "data (TSV)": "tsv" };
  const files = (words, stem) => {
    const made = element("span", words, { class: "files" });
    for (const [name, suffix] of Object.entries(KINDS)) made.append(" ", element("a", name, { href: encodeURI(`${stem}.${suffix}`) }));
    return made;
  };

  return { element, legend, confusion, calibration, thumbs, files };
})();
