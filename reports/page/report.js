// SPDX-License-Identifier: BSD-3-Clause
// Columns sort by a press on their heading; an input filters the rows that hold all its words; the value of the point that is
// pointed at stands below its picture; a table is copied as Markdown or CSV; questions unfold for paper. Without it the page reads the
// same.
"use strict";
for (const picture of document.querySelectorAll(".picture")) {  // what a title tells after a while, at once, and under a finger
  const line = document.createElement("p");
  line.className = "pointed";
  line.setAttribute("role", "status");
  picture.after(line);
  const show = (event) => {
    line.textContent = event.target.closest(".value")?.querySelector("title").textContent ?? "";
  };
  picture.addEventListener("pointerover", show);
  picture.addEventListener("pointerdown", show);
}
for (const table of document.querySelectorAll("table[id]")) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    if (!heading.textContent || heading.querySelector("button")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.dataset.title = heading.textContent;  // paper repeats a heading, but no button
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const number = heading.classList.contains("n");
      const shown = (cell) => (cell.textContent === "–" ? "" : cell.textContent);
      const key = (row) => row.cells[column].dataset.v ?? shown(row.cells[column]);
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

// A cell as text: in CSV a number with its interval is three, in Markdown it is as it is read.
const plain = (cell) => cell.textContent.trim().replace(/\s+/g, " ");
const asMarkdown = (table) => {
  const line = (cells) => `| ${cells.map((cell) => plain(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  const head = [...table.tHead.rows[0].cells];
  const rule = `| ${head.map((cell) => (cell.classList.contains("n") ? "---:" : "---")).join(" | ")} |`;
  return [line(head), rule, ...[...table.tBodies[0].rows].map((row) => line([...row.cells]))].join("\n") + "\n";
};
const asCsv = (table) => {
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = [...table.tBodies[0].rows].map((row) => [...row.cells]);
  const bounded = (column) => rows.some((cells) => cells[column]?.dataset.low !== undefined);
  const head = [...table.tHead.rows[0].cells].flatMap((cell, i) => (bounded(i) ? ["", " low", " high"].map((end) => plain(cell) + end) : [plain(cell)]));
  const of = (cell, i) => {
    if (!bounded(i)) return [plain(cell)];
    return cell.dataset.v ? [cell.dataset.v, cell.dataset.low ?? "", cell.dataset.high ?? ""] : [plain(cell), "", ""];
  };
  return [head, ...rows.map((cells) => cells.flatMap(of))].map((line) => line.map(quoted).join(",")).join("\r\n") + "\r\n";
};
const byHand = (text) => {  // where a browser gives a file no clipboard
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done ? Promise.resolve() : Promise.reject(new Error("no clipboard"));
};
for (const button of document.querySelectorAll("button[data-copy]")) {
  const bar = button.closest(".copy");
  bar.hidden = false;
  button.addEventListener("click", () => {
    const table = bar.parentElement.querySelector("table");
    const text = button.dataset.copy === "csv" ? asCsv(table) : asMarkdown(table);
    const say = (words) => { bar.querySelector("[role=status]").textContent = words; };
    (navigator.clipboard ? navigator.clipboard.writeText(text).catch(() => byHand(text)) : byHand(text))
      .then(() => say("Copied."), () => say("This browser gives no access to the clipboard."));
  });
}
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details.question:not([open])")];
  for (const question of unfolded) question.open = true;
});
addEventListener("afterprint", () => { for (const question of unfolded) question.open = false; });
