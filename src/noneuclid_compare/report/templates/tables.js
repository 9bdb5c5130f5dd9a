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
    const heads = [...[...table.tHead.rows].at(-1).cells];
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

  // The rows of a table as TSV or LaTeX.
  const clean = (cell) => cell.innerText.replace(/\s+/g, " ").trim();
  const shown = (rows) => [...rows].filter((row) => !row.hidden);
  const blanks = (cell) => Array(cell.colSpan - 1).fill("");
  const SPECIAL = {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}",
    "–": "--", "…": "\\ldots{}", "±": "$\\pm$", "−": "$-$", "∞": "$\\infty$", "∝": "$\\propto$", "·": "$\\cdot$", "×": "$\\times$",
    "†": "$\\dagger$", "‡": "$\\ddagger$", "▾": "$\\downarrow$", "²": "$^2$",
  };
  const escaped = (text) => text.replace(/[\\~^<>–…±−∞∝·×†‡▾²&%$#_{}]/g, (c) => SPECIAL[c] ?? `\\${c}`);
  const texCell = (cell) => cell.colSpan > 1 ? `\\multicolumn{${cell.colSpan}}{c}{${escaped(clean(cell))}}` : escaped(clean(cell));
  const texRow = (row) => [...row.cells].map(texCell).join(" & ") + " \\\\";
  const FORMATS = {
    TSV: (table) => shown(table.rows).map((row) => [...row.cells].flatMap((cell) => [clean(cell), ...blanks(cell)]).join("\t") + "\n").join(""),
    LaTeX: (table) => {
      const head = table.tHead ? [...shown(table.tHead.rows).map(texRow), "\\midrule"] : [];
      const body = shown(table.tBodies[0].rows).map(texRow);
      const columns = "l" + "r".repeat([...table.rows].at(-1).cells.length - 1);
      return [`\\begin{tabular}{${columns}}`, "\\toprule", ...head, ...body, "\\bottomrule", "\\end{tabular}", ""].join("\n");
    },
  };
  const save = (name, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  // A box that hides the rows without all of its words.
  const searchBox = (name, rows, after = () => {}) => {
    const label = document.createElement("label"), input = document.createElement("input");
    input.type = "search";
    label.append(`${name} `, input);
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows()) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
      after(words.length > 0);
    });
    return label;
  };
  const bar = (...parts) => {
    const made = document.createElement("div");
    made.className = "bar-of-table";
    made.append(...parts);
    return made;
  };
  const LONG = 12;
  [...document.querySelectorAll("main table[data-name]")].forEach((table) => {
    const rows = () => table.tBodies[0].rows;
    const buttons = Object.entries(FORMATS).map(([format, write]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = format;
      button.title = `Save the rows shown as ${format}`;
      button.addEventListener("click", () => save(`${table.dataset.name}.${format === "TSV" ? "tsv" : "tex"}`, write(table)));
      return button;
    });
    table.parentElement.before(bar(...(rows().length > LONG ? [searchBox("Search", rows)] : []), ...buttons));
  });

  // One box for several folded tables: those with a row to show open.
  for (const group of document.querySelectorAll("[data-search]")) {
    const parts = [...group.querySelectorAll("details")];
    group.prepend(bar(searchBox(`Search ${group.dataset.search}`, () => group.querySelectorAll("tbody tr"), (asked) => {
      for (const part of parts) {
        const found = part.querySelector("tbody tr:not([hidden])") !== null;
        part.hidden = !found;
        part.open = asked && found;
      }
    })));
  }
})();
