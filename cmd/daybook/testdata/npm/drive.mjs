// Drives `daybook mcp` through a whole research with the official TypeScript client: node drive.mjs MODULES SDK PROGRAM HOME
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
const [modules, sdk, program, home] = process.argv.slice(2);
const require = createRequire(modules + "/x.js");
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
let Client, Transport, options = {};
if (sdk === "v1") {
  ({ Client } = await load("@modelcontextprotocol/sdk/client/index.js"));
  ({ StdioClientTransport: Transport } = await load("@modelcontextprotocol/sdk/client/stdio.js"));
} else {
  ({ Client } = await load("@modelcontextprotocol/client"));
  ({ StdioClientTransport: Transport } = await load("@modelcontextprotocol/client/stdio"));
  options = { versionNegotiation: { mode: "auto" } };
}
const connect = async () => {
  const client = new Client({ name: "drive", version: "1" }, options);
  await client.connect(new Transport({ command: program, args: ["mcp", "--dir", home], env: process.env }));
  return client;
};
let client = await connect();
const progress = [];
const ask = async (name, args = {}) => {
  const r = sdk === "v1"
    ? await client.callTool({ name, arguments: args }, undefined, { onprogress: (p) => progress.push(p.message), timeout: 200000 })
    : await client.callTool({ name, arguments: args }, { onprogress: (p) => progress.push(p.message), timeout: 200000 });
  return (r.isError ? "error: " : "") + r.content[0].text;
};
const check = (ok, what) => { if (!ok) { console.error("not so: " + what); process.exit(1); } };
check((await client.listTools()).tools.length === 10, "ten tools");
check((await ask("start", { question: "Tell me about Zlorpol" })).includes("runs"), "it runs");
const research = "tell-me-about-zlorpol";
let said = await ask("state", { research, wait: 150 });
check(JSON.parse(said).asks === "Which form?", said);
check(await ask("answer", { research, text: "the syrup, of course" }) === "It is answered.", "answered");
await client.close(); // and the research goes on
client = await connect();
said = await ask("state", { research, wait: 150 });
check(JSON.parse(said).state === "finished", said);
check((await ask("report", { research })).includes("taken at night [s1.1]"), "the report");
check((await ask("search_sources", { research, query: "night" })).includes("[s1.1]"), "a passage is found");
check((await ask("passage", { research, citation: "s1.2" })).includes("It is sweet."), "a passage");
check((await ask("verify", { research })).includes("supported"), "verified");
const file = await client.readResource({ uri: `daybook://${research}/report.md` });
check(file.contents[0].text.includes("Zlorpol"), "a resource");
check((await client.listResourceTemplates()).resourceTemplates.length === 1, "a template");
check((await ask("report", { research: "../x" })).startsWith("error"), "no way out");
console.log(`${sdk}: a whole research, progress ${JSON.stringify(progress)}`);
await client.close();
