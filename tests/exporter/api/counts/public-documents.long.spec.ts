import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { publicDocuments } from "../../support/requests/public-documents.js";
import { listFiles, type Files } from "../../support/site-fixture.js";
import { countParts } from "./counted-pages.js";

/**
 * A folder with further documents, each in its own folder, such as those of large APIs:
 * `API_DOCUMENTS=/tmp/documents npx mocha tests/exporter/api/counts/public-documents.long.spec.ts`
 */
const folder = process.env["API_DOCUMENTS"];

async function filesIn(directory: string): Promise<Files> {
    const names = (await listFiles(directory)).filter((name) => /\.(?:json|ya?ml|md)$/.test(name));
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}

function entryOf(files: Files): string {
    const entry = Object.keys(files).find((name) =>
        /^[\s{]*["']?(?:openapi|swagger)["']?\s*:/m.test(files[name] ?? ""),
    );
    assert.ok(entry, "a folder without an OpenAPI document");
    return entry;
}

const installed = publicDocuments.map(
    ({ name, file }) =>
        [name, async () => Promise.resolve({ "api.json": readFileSync(file, "utf8") } as Files)] as const,
);
const further = folder === undefined ? [] : readdirSync(folder, { withFileTypes: true });
const documents = [
    ...installed,
    ...further
        .filter((entry) => entry.isDirectory())
        .map(({ name, parentPath }) => [name, () => filesIn(join(parentPath, name))] as const),
];

describe("The pages and warnings of a public OpenAPI document", function () {
    this.timeout(900_000);
    const rows: Record<string, object> = {};
    after(() => console.table(rows));

    for (const [name, read] of documents) {
        it(`contain each property, parameter, value, description and example of ${name}`, async () => {
            const files = await read();
            const { pages, counts, lost, unlinked } = await countParts(files, entryOf(files));
            rows[name] = { pages, ...counts, lost: lost.length };
            assert.deepEqual({ lost, unlinked }, { lost: [], unlinked: [] });
        });
    }
});
