import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, documents, root } from "./support/documents.js";

const page = "docs/reference/settings.md";
const read = (file: string) => readFileSync(join(root, file), "utf8");
const tableOf = (text: string) => text.split("\n").filter((line) => line.startsWith("| "));
const settingsIn = (text: string) => [...text.matchAll(/static-export:[a-z]\w+/g)].map(String).filter(isSetting);
const variablesIn = (text: string) => [...text.matchAll(/STATIC_EXPORT_\w+/g)].map(String);
/** Returns false for modules and functions in type tokens, which look like settings. */
const isSetting = (name: string) => !["static-export:index", "static-export:getAgentJob"].includes(name);

/** Settings of the checkout's scripts, not of users. */
const ofThisRepository = ["STATIC_EXPORT_CACHE_DIR"];
/** Variables that the service sets for builds and agents, so that nobody else sets them. */
const ofRuns = ["builds/site-build.ts", "processes/process-mark.ts"].flatMap((file) =>
    variablesIn(read(`service/src/${file}`)),
);

const sources = ["contract/src", "provider/src", "cli/src", "service/src/options"]
    .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith(".ts"))
    .map(read)
    .join("\n");
const table = tableOf(read(page)).join("\n");

describe("The documentation of settings and keys", () => {
    it("contains one table with every setting and variable that the provider and the command read", () => {
        const known = new Set([...settingsIn(table), ...variablesIn(table)]);
        const used = [...settingsIn(sources), ...variablesIn(sources)].filter((name) => !/_$/.test(name));
        assert.ok(used.includes("static-export:mirrorSessionToken") && used.includes("STATIC_EXPORT_JOURNAL_DIR"));
        assert.deepEqual(
            [...new Set(used)].filter((name) => !known.has(name)),
            [],
        );
        for (const name of known) {
            assert.ok(used.includes(name), `${page}: nothing reads ${name}`);
        }
    });

    for (const document of documents.filter((each) => each !== page)) {
        it(`matches the table: ${document}`, () => {
            const text = read(document);
            for (const name of [...settingsIn(text), ...variablesIn(text)]) {
                const isKnown = table.includes(name) || [...ofThisRepository, ...ofRuns].includes(name);
                assert.ok(isKnown, `${document}: ${name}`);
            }
            for (const row of tableOf(text).filter((line) => /`static-export:\w+`.*\| `STATIC_EXPORT_/.test(line))) {
                const [, , setting, variable] = row.split("|").map((cell) => /`([^`]+)`/.exec(cell)?.[1]);
                const same = tableOf(table).find((line) => line.includes(`\`${setting}\``));
                assert.ok(same?.includes(`\`${variable}\``), `${document}: ${row}`);
            }
        });
    }

    it("never puts a plain-text key into the configuration or a key into the shell history", () => {
        const lines = documents
            .flatMap(codeBlocks)
            .flatMap(({ text, place }) => text.split("\n").map((line) => ({ line, place })));
        const setting = lines.filter(({ line }) =>
            /^pulumi config set .*static-export:(adminApiKey|mirror)/.test(line),
        );
        assert.ok(setting.length > 5);
        for (const { line, place } of setting) {
            assert.match(line, /config set --secret static-export:\w+( < \S+)?$/, place);
        }
    });
});
