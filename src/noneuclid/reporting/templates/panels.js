// What stands around the disk: legend, confusion matrix, small disks. Texts go in as text, never as markup.
const panels = (() => {
  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const breakable = (name) => name.split(/(?<=_)/).flatMap((part) => [part, document.createElement("wbr")]);

  // Buttons that hide and show the classes in the set `hidden`.
  const legend = (disk, markers, hidden, changed) =>
    disk.classes.map((name, code) => {
      const points = markers[code % markers.length].map((v, i) => (i % 2 ? -6 : 6) * v + 8);
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      const shape = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
      shape.setAttribute("points", points.join(" "));
      shape.setAttribute("fill", disk.colours[code]);
      shape.setAttribute("stroke", disk.edges[code]);
      svg.setAttribute("viewBox", "0 0 16 16");
      svg.append(shape);
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
        const cell = element("td", n || "·", { title: `${disk.classes[truth]} taken for ${disk.classes[guess]}: ${n}` });
        cell.className = truth === guess ? "right" : "wrong";
        cell.style.setProperty("--s", (0.6 * n / total).toFixed(3));
        row.append(cell);
      });
    });
    return [element("p", "Rows when left out: true class (down) by predicted class (across); shading: share of the true class.", { class: "note" }), table];
  };

  const drawThumb = (target, disk, item) => {
    const size = 160;
    target.width = target.height = size;
    const context = target.getContext("2d");
    context.drawImage(regions.paint(disk, item, isometry.IDENTITY, size, size / 2, size / 2, size / 2 - 2, false), 0, 0);
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
      button.append(picture, ...breakable(item.name), element("small", item.score));
      button.addEventListener("click", () => choose(item.name));
      return button;
    });

  return { element, legend, confusion, thumbs };
})();
