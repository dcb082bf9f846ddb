// SPDX-License-Identifier: BSD-3-Clause
// Columns sort by a press on their heading; an input filters the rows that hold all its words; the value of the point that is
// pointed at stands below its picture. Without it the page reads the same.
"use strict";
for (const picture of document.querySelectorAll(".picture")) {  // what a title tells after a while, at once, and under a finger
  const line = document.createElement("p");
  line.className = "pointed";
  line.setAttribute("role", "status");
  picture.after(line);
  const show = (event) => {
    line.textContent = event.target.closest("g.value")?.querySelector("title").textContent ?? "";
  };
  picture.addEventListener("pointerover", show);
  picture.addEventListener("pointerdown", show);
}
for (const table of document.querySelectorAll("table[id]")) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    if (!heading.textContent) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const number = heading.classList.contains("n");
      const key = (row) => (number ? row.cells[column].dataset.v : row.cells[column].textContent);
      const order = (a, b) => {
        if (key(a) === "" || key(b) === "") return (key(a) === "") - (key(b) === "");  // what is absent stays last
        return (down ? -1 : 1) * (number ? key(a) - key(b) : key(a).localeCompare(key(b), "en", { numeric: true }));
      };
      body.append(...[...body.rows].sort(order));
    });
  });
}
for (const input of document.querySelectorAll("input[data-filter]")) {
  const rows = [...document.getElementById(input.dataset.filter).tBodies[0].rows];
  const count = document.querySelector(`[data-count="${input.dataset.filter}"]`);
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = [...row.cells].map((cell) => cell.textContent.toLowerCase());
      row.hidden = !words.every((word) => text.some((cell) => cell.includes(word)));
      shown += !row.hidden;
    }
    count.textContent = `${shown} of ${rows.length} rows`;
  };
  input.closest(".filter").hidden = false;
  input.addEventListener("input", filter);
  filter();
}
