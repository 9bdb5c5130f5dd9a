"use strict";
// Tables that are too wide for a page are printed smaller, and those far too wide in landscape: a
// change of the format begins a page and leaves the one before half empty.
(() => {
  const page = document.documentElement, millimetre = 96 / 25.4, upright = 182 * millimetre, across = 269 * millimetre, smallest = 0.62;
  addEventListener("beforeprint", () => {
    page.classList.add("printing");
    for (const part of document.querySelectorAll(".fold:not([open])")) {
      part.open = true;
      part.classList.add("opened");
    }
    for (const box of document.querySelectorAll(".scroll:has(> table)")) {
      const table = box.firstElementChild, width = table.offsetWidth;
      const wide = width * smallest > upright, room = wide ? across : upright;
      box.classList.toggle("wide", wide);
      // One pixel is rounding.
      table.style.zoom = width > room + 1 ? room / width : "";
    }
  });
  addEventListener("afterprint", () => {
    page.classList.remove("printing");
    for (const part of document.querySelectorAll(".opened")) {
      part.open = false;
      part.classList.remove("opened");
    }
    for (const table of document.querySelectorAll(".scroll > table")) table.style.zoom = "";
  });
})();
