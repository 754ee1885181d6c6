// Reads pages as a browser's reader view would and writes each as Markdown. The argument is a JSON file with a list of
// {path, url}. All pages are read once to warm up and then, measured, once more.
import { readFileSync } from "node:fs";
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import { gfm } from "turndown-plugin-gfm";

const pages = JSON.parse(readFileSync(process.argv[2], "utf8")).map(({ path, url }) => ({ url, text: readFileSync(path, "utf8") }));
const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
turndown.use(gfm);

function read({ text }) {
  try {
    const { document } = parseHTML(text);
    const article = new Readability(document).parse();
    return article && article.content ? turndown.turndown(article.content) : "";
  } catch {
    return ""; // counted as empty
  }
}

function all() {
  let empty = 0;
  for (const page of pages) if (!read(page)) empty++;
  return empty;
}

all();
const cpu = process.cpuUsage();
const start = process.hrtime.bigint();
const empty = all();
const wall = Number(process.hrtime.bigint() - start) / 1e6;
const used = process.cpuUsage(cpu);
console.log(JSON.stringify({ wall, cpu: (used.user + used.system) / 1e3, empty }));
