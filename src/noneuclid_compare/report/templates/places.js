// The menu, addresses of places on the page (#SECTION, disks: see viewer.js).
const places = (() => {
  // The part of the address after #; "" if it is malformed.
  const here = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  };
  const remember = (...names) => history.replaceState(null, "", `#${names.map(encodeURIComponent).join("/")}`);

  const metric = document.getElementById("metric");
  const choose = () => {
    for (const part of document.querySelectorAll("[data-metric]")) part.hidden = part.dataset.metric !== metric.value;
  };
  metric?.addEventListener("change", choose);

  // Open whatever folds the place away, then go there.
  const show = (place) => {
    for (let part = place; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    place.scrollIntoView();
  };
  const go = () => {
    const place = document.getElementById(here().split("/")[0]);
    if (place) show(place);
  };
  addEventListener("hashchange", go);
  addEventListener("load", go);

  // On a narrow screen the menu is folded and names the section in view.
  const nav = document.querySelector("nav"), menu = nav.querySelector("details"), narrow = matchMedia("(max-width: 48rem)");
  const fold = () => {
    menu.open = !narrow.matches;
    document.documentElement.style.scrollPaddingTop = `${nav.offsetHeight + 10}px`;
  };
  narrow.addEventListener("change", fold);
  addEventListener("resize", fold);
  fold();
  menu.addEventListener("click", (event) => { if (event.target.closest("a") && narrow.matches) menu.open = false; });

  const links = [...nav.querySelectorAll("a")], summary = menu.querySelector("summary");
  const sections = links.map((link) => document.querySelector(link.getAttribute("href")));
  const mark = () => {
    const last = sections.findLastIndex((s) => s.getBoundingClientRect().top < innerHeight / 3);
    links.forEach((link, i) => link.classList.toggle("here", i === last));
    summary.textContent = last < 0 ? "Sections" : links[last].textContent;
  };
  addEventListener("scroll", mark, { passive: true });
  mark();

  return { here, remember, show };
})();
