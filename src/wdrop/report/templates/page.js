"use strict";
// Sort a table by a click on a heading: numbers by their full value, text by its letters; absent numbers last.
const valueOf = (cell) => cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
const compare = (a, b) => {
  if (typeof a === "string" || typeof b === "string") return String(a).localeCompare(String(b), "en", {numeric: true});
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  return a - b;
};
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.parentElement, table = head.closest("table"), body = table.tBodies[0];
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const absent = (value) => Number.isNaN(value);
    const rows = [...body.rows].map((row) => [valueOf(row.cells[head.cellIndex]), row]);
    rows.sort(([a], [b]) => absent(a) || absent(b) ? compare(a, b) : (down ? -1 : 1) * compare(a, b));
    body.append(...rows.map(([, row]) => row));
  });
}
// Show the rows that hold every word of the filter.
for (const input of document.querySelectorAll("input.filter")) {
  const rows = [...input.parentElement.querySelectorAll("table")]
    .find((table) => input.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING).tBodies[0].rows;
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
      shown += !row.hidden;
    }
    input.nextElementSibling.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
  });
}
// Dots tell their run; names switch their dots on and off.
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.body.append(tip);
for (const figure of document.querySelectorAll("figure.scatter")) {
  figure.addEventListener("mousemove", (event) => {
    const text = event.target.dataset ? event.target.dataset.text : undefined;
    tip.hidden = text === undefined;
    if (text === undefined) return;
    tip.textContent = text;
    tip.style.left = `${Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${event.clientY + 14}px`;
  });
  figure.addEventListener("mouseleave", () => { tip.hidden = true; });
  for (const button of figure.querySelectorAll(".legend button")) {
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      for (const dot of figure.querySelectorAll("circle")) {
        if (dot.dataset.group === button.dataset.group) dot.style.display = on ? "" : "none";
      }
    });
  }
}
