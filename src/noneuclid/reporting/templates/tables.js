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

  for (const input of document.querySelectorAll("[data-filter]")) {
    const rows = [...document.getElementById(input.dataset.filter).tBodies[0].rows];
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
  }

  const metric = document.getElementById("metric");
  const choose = () => {
    for (const league of document.querySelectorAll(".league")) {
      league.hidden = league.dataset.metric !== metric.value;
    }
  };
  metric.addEventListener("change", choose);
  choose();

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
