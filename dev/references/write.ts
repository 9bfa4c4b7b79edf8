/** `npm run references` writes the generated parts of the guide; specs in tests/dev fail when one is out of date. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Chart, charts } from "../chart-values/values.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What is between two marks of a page. Each generator is loaded when it is needed. */
const generators = {
    "dev/architecture/import-graph.md": async () => (await import("../architecture/drawing.js")).draw(),
    "docs/reference/not-supported.md": async () =>
        (await import("../not-supported/sections.js")).describeNotSupported(),
    "charts/documentation-site/README.md": () => valuesOf("documentation-site"),
    "charts/documentation-sites/README.md": () => valuesOf("documentation-sites"),
    "charts/static-export-service/README.md": () => valuesOf("static-export-service"),
    "docs/reference/policy-pack.md": async () => (await import("../policy/table.js")).table(),
} satisfies Record<string, () => Promise<string>>;

async function valuesOf(chart: Chart): Promise<string> {
    return (await import("../chart-values/table.js")).valuesTable(chart);
}

const marked = /(?<=written by `npm run references` \S+\n\n)[^]*(?=\n\n\S+ end of what is written )/;

/** Returns a page with its current text, and with up-to-date text between its marks. */
export async function readAndUpdate(page: keyof typeof generators): Promise<{ text: string; updated: string }> {
    const text = readFileSync(root + page, "utf8");
    return { text, updated: withSection(text, await generators[page]()) };
}

/** @throws Error for a page without marks */
export function withSection(text: string, section: string): string {
    if (!marked.test(text)) {
        throw new Error("The page needs marks around its generated part, as docs/reference/policy-pack.md has.");
    }
    return text.replace(marked, () => section);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    for (const page of Object.keys(generators) as (keyof typeof generators)[]) {
        writeFileSync(root + page, (await readAndUpdate(page)).updated);
    }
    const { schemaText } = await import("../chart-values/schema.js");
    for (const chart of charts) {
        writeFileSync(`${root}charts/${chart}/values.schema.json`, schemaText(chart));
    }
    const { writeReference } = await import("../api-reference/write.js");
    for (const [page, section] of writeReference()) {
        writeFileSync(root + page, withSection(readFileSync(root + page, "utf8"), section));
    }
}
