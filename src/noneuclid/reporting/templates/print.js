"use strict";
// Tables that are too wide for a page are printed on a page in landscape, smaller if need be.
(() => {
  const page = document.documentElement, millimetre = 96 / 25.4, upright = 182 * millimetre, across = 269 * millimetre;
  addEventListener("beforeprint", () => {
    page.classList.add("printing");
    for (const box of document.querySelectorAll(".scroll:has(> table)")) {
      const table = box.firstElementChild, width = table.offsetWidth;
      // One pixel is rounding.
      const wide = width > upright + 1;
      box.classList.toggle("wide", wide);
      table.style.zoom = wide ? Math.min(1, across / width) : "";
    }
  });
  addEventListener("afterprint", () => {
    page.classList.remove("printing");
    for (const table of document.querySelectorAll(".scroll > table")) table.style.zoom = "";
  });
})();
