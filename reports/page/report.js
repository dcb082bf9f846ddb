// SPDX-License-Identifier: BSD-3-Clause
// Columns sort by a press on their heading; an input filters the rows that hold all its words; the value of the point that is
// pointed at stands below its picture; a picture is saved as SVG, PNG or PDF; a table is copied as Markdown or CSV; questions unfold
// for paper. Without it the page reads the same.
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
// A picture on its own: ink on white whatever the theme, without what only this page's style sheet hides (svg_compact.h).
const onItsOwn = (picture) => {
  const svg = picture.cloneNode(true);
  const [, , width, height] = svg.getAttribute("viewBox").split(/\s+/);
  const set = (of, attributes) => { for (const [name, value] of Object.entries(attributes)) of.setAttribute(name, value); };
  for (const value of svg.querySelectorAll(".value")) value.remove();
  for (const text of svg.querySelectorAll("text")) set(text, { stroke: "none", ...(!text.hasAttribute("fill") && { fill: "#1a1a1a" }) });
  for (const boxes of svg.querySelectorAll(".boxes")) set(boxes, { stroke: "none", "shape-rendering": "crispEdges" });
  set(svg.querySelector("rect"), { stroke: "none" });  // its ground
  set(svg, { width, height, "font-family": "sans-serif" });
  return { svg, width: Number(width), height: Number(height) };
};
const download = (blob, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
};
const saveAs = {
  SVG: (name, { svg }) => download(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }), `${name}.svg`),
  PNG: (name, { svg, width, height }) => {  // twice its size
    const canvas = document.createElement("canvas");
    const image = new Image();
    [canvas.width, canvas.height] = [2 * width, 2 * height];
    image.addEventListener("load", () => {
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => download(blob, `${name}.png`));
    });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  },
  PDF: (name, { svg, width, height }) => {  // the print dialogue, with the picture alone on a sheet of its size
    const title = document.title;
    const style = document.createElement("style");
    style.textContent = `@page { size: ${width}px ${height}px; margin: 0; }`;
    svg.id = "sheet";
    document.head.append(style);
    document.body.append(svg);
    document.title = name;
    addEventListener("afterprint", () => {
      svg.remove();
      style.remove();
      document.title = title;
    }, { once: true });
    print();
  },
};
for (const line of document.querySelectorAll("figure > .files")) {
  const figure = line.parentElement;
  const name = figure.id.replace("figure-", "");
  const buttons = document.createElement("span");
  buttons.append("Save it as");
  for (const [format, save] of Object.entries(saveAs)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = format;
    button.setAttribute("aria-label", `Save ${name} as ${format}`);
    button.addEventListener("click", () => save(name, onItsOwn(figure.querySelector("svg"))));
    buttons.append(" ", button);
  }
  line.append(" ", buttons);
}
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details.question:not([open])")];
  for (const question of unfolded) question.open = true;
});
addEventListener("afterprint", () => { for (const question of unfolded) question.open = false; });
