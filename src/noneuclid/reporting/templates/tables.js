"use strict";
(() => {
  // Sort by a click or Enter on a column's head: by data-v if present, else by text.
  const key = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.v ?? cell.textContent.trim();
    const value = Number.parseFloat(text);
    return Number.isNaN(value) ? text.toLowerCase() : value;
  };
  const compare = (a, b) => {
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === "number" ? -1 : 1;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const sort = () => {
        const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => sign * compare(key(a, column), key(b, column)));
        table.tBodies[0].append(...rows);
      };
      head.classList.add("sorter");
      head.tabIndex = 0;
      head.title = "Sort";
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        sort();
      });
    });
  }

  // A search box above every long table, and its rows as TSV or LaTeX, above every table.
  const LONG = 12;
  const clean = (cell) => cell.innerText.replace(/\s+/g, " ").trim();
  const rowsOf = (table) => [...table.rows].filter((row) => !row.hidden).map((row) => [...row.cells].map(clean));
  const SPECIAL = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}", "±": "$\\pm$", "−": "$-$", "∞": "$\\infty$", "∝": "$\\propto$", "·": "$\\cdot$" };
  const escaped = (text) => text.replace(/[\\~^<>±−∞∝·&%$#_{}]/g, (c) => SPECIAL[c] ?? `\\${c}`);
  const FORMATS = {
    TSV: (table) => rowsOf(table).map((cells) => cells.join("\t")).join("\n") + "\n",
    LaTeX: (table) => {
      const [head, ...rows] = rowsOf(table).map((cells) => cells.map(escaped).join(" & ") + " \\\\");
      return ["\\begin{tabular}{l" + "r".repeat(table.tHead.rows[0].cells.length - 1) + "}", "\\toprule", head, "\\midrule", ...rows, "\\bottomrule", "\\end{tabular}", ""].join("\n");
    },
  };
  const save = (name, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const searchBox = (rows) => {
    const label = document.createElement("label"), input = document.createElement("input");
    input.type = "search";
    label.append("Search ", input);
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
    return label;
  };
  [...document.querySelectorAll("table.sortable")].forEach((table, number) => {
    const bar = document.createElement("div"), name = table.dataset.name || table.id || `table_${number + 1}`;
    bar.className = "bar-of-table";
    if (table.tBodies[0].rows.length > LONG) bar.append(searchBox([...table.tBodies[0].rows]));
    for (const [format, write] of Object.entries(FORMATS)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = format;
      button.title = `Save the rows shown as ${format}`;
      button.addEventListener("click", () => save(`${name}.${format === "TSV" ? "tsv" : "tex"}`, write(table)));
      bar.append(button);
    }
    table.parentElement.before(bar);
  });

  const metric = document.getElementById("metric");
  const choose = () => {
    for (const league of document.querySelectorAll(".league")) {
      league.hidden = league.dataset.metric !== metric.value;
    }
  };
  metric.addEventListener("change", choose);
  choose();

  // What is folded away on the screen is printed.
  const folded = [...document.querySelectorAll("details:not([open])")];
  addEventListener("beforeprint", () => folded.forEach((part) => { part.open = true; }));
  addEventListener("afterprint", () => folded.forEach((part) => { part.open = false; }));

  // Mark the section in view in the navigation.
  const links = [...document.querySelectorAll("nav a")];
  const sections = links.map((link) => document.querySelector(link.getAttribute("href")));
  const mark = () => {
    const last = sections.findLastIndex((s) => s.getBoundingClientRect().top < innerHeight / 3);
    links.forEach((link, i) => link.classList.toggle("here", i === last));
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
})();
