import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, withExport } from "../exporter/support/site-fixture.js";
import { codeBlocks, root } from "./support/documents.js";

const guide = "docs/guides/readers-and-agents.md";

/** All settings in the guide's examples, combined. */
const settings = codeBlocks(guide)
    .filter(({ language, text }) => language === "json" && /"(?:contextual|integrations)"/.test(text))
    .map(({ text }) => JSON.parse(text) as Record<string, Record<string, unknown>>)
    .reduce((all, part) => ({ ...all, ...part }));

/** Lists the files in the first column of the guide's table. */
function filesOfTable(): string[] {
    const [, table = ""] =
        /\n## Files for programs\n[^]*?\n\| --- \| --- \|\n((?:\|[^\n]*\n)+)/.exec(
            readFileSync(join(root, guide), "utf8"),
        ) ?? [];
    return table
        .split("\n")
        .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file));
}

/** The files that a reader writes into an empty folder. */
const site = {
    "docs.json": JSON.stringify({ name: "Docs", navigation: { pages: ["guides/start"] }, ...settings }),
    "guides/start.mdx": "---\ntitle: Start\n---\n\n<Note>Read this.</Note>\n",
    "skill.md": "---\nname: docs\ndescription: Reads them.\n---\n\n# Docs\n",
};

describe("The guide for readers and agents, followed in an empty folder,", () => {
    it("lists the files that an export contains for programs", () =>
        withExport(
            site,
            async ({ outDir, read, warnings }) => {
                assert.deepEqual(warnings, []);
                const named = filesOfTable();
                assert.ok(named.length >= 9, named.join(" "));
                const written = await listFiles(outDir);
                assert.deepEqual(
                    named.filter((file) => !written.includes(file)),
                    [],
                );
                assert.equal(await read("guides/start.md"), "# Start\n\n> [!NOTE]\n> Read this.\n");
            },
            { answer: true },
        ));

    it("documents settings that add the described menu and services to a page", () =>
        withExport(site, async ({ read, sends }) => {
            const page = await read("guides/start.html");
            const { options } = settings.contextual as {
                options: readonly (string | { title: string; href: string })[];
            };
            for (const option of options) {
                const name = typeof option === "string" ? option : "custom";
                assert.ok(page.includes(`data-option="${name}"`), name);
            }
            const { server } = settings.integrations?.plausible as { server: string };
            assert.match(
                /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "",
                new RegExp(server),
            );
            assert.equal(sends.length, 1);
            assert.ok(sends[0]?.includes(server) && sends[0].includes("consent"), sends[0]);
        }));
});
