import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { withExport, withFolder } from "../../support/site-fixture.js";
import {
    expectedOperations,
    type ExpectedOperation,
    galaxy,
    kindsOfTexts,
    publicDocuments,
} from "../../support/requests/public-documents.js";
import { checkAll, isInstalled, runners } from "../../support/requests/run-code.js";

const languages: Readonly<Record<string, string>> = {
    curl: "cURL",
    javascript: "JavaScript",
    python: "Python",
    go: "Go",
    php: "PHP",
    ruby: "Ruby",
    java: "Java",
    csharp: "C#",
};

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'", "#x27": "'" };

function textOf(html: string): string {
    return html.replace(/<[^>]*>/g, "").replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}

/** What is on no page of an operation. */
function missingFrom(pages: readonly string[], operations: readonly ExpectedOperation[]): string[] {
    return operations.flatMap((operation) => {
        const texts = [operation.path, ...kindsOfTexts.flatMap((kind) => operation[kind])];
        const lost = pages.map((page) => texts.filter((text) => !page.includes(text)));
        const least = lost.sort((one, other) => one.length - other.length)[0] ?? texts;
        return least.map((text) => `${operation.name}: ${text}`);
    });
}

/** The code of a page, by language. */
function codesIn(html: string): [label: string, code: string][] {
    const [, request = ""] = /data-of="request"([^]*)/.exec(html) ?? [];
    const blocks = request
        .split('data-of="response"')[0]
        ?.matchAll(/data-title="([^"]*)"[^]*?<code[^>]*>([^]*?)<\/code>/g);
    return [...(blocks ?? [])].map(([, label = "", code = ""]) => [label, textOf(code)]);
}

async function pagesOf(source: string): Promise<string[]> {
    const pages: string[] = [];
    const settings = {
        navigation: { tabs: [{ tab: "API", openapi: "api.json" }] },
        api: { examples: { languages: Object.keys(languages) } },
    };
    await withExport(
        { "docs.json": JSON.stringify(settings), "api.json": source },
        async ({ files, read, warnings }) => {
            const cuts = warnings.filter(({ reason }) =>
                /a page shows only|not on any page|not supported/.test(reason),
            );
            assert.deepEqual(cuts, []);
            for (const page of (await files()).filter((each) => /^api-reference.*\.html$/.test(each))) {
                pages.push(await read(page));
            }
        },
    );
    return pages;
}

describe("The pages of a public OpenAPI document", function () {
    this.timeout(300_000);
    const counts = new Map<string, Record<string, number>>();
    const codes = new Map<string, string[]>();
    const count = (group: string, kind: string, number: number) => {
        for (const row of [group, "all"]) {
            const known = counts.get(row) ?? {};
            counts.set(row, { ...known, [kind]: (known[kind] ?? 0) + number });
        }
    };
    after(() => {
        const row = Object.entries(languages).map(([name, label]) => [name, codes.get(label)?.length ?? 0]);
        const all = counts.get("all");
        counts.delete("all");
        console.table({ ...Object.fromEntries(counts), all });
        console.table({ "codes that parse": Object.fromEntries(row) as object });
    });

    for (const { group, name, file } of publicDocuments) {
        it(`contain every operation, parameter, top-level field, response and credential of ${name}`, async () => {
            const source = readFileSync(file, "utf8");
            const operations = expectedOperations(JSON.parse(source) as Record<string, unknown>);
            const pages = await pagesOf(source);
            assert.deepEqual(missingFrom(pages.map(textOf), operations), []);
            count(group, "documents", 1);
            count(group, "operations", operations.length);
            for (const kind of kindsOfTexts) {
                count(
                    group,
                    kind,
                    operations.reduce((sum, operation) => sum + operation[kind].length, 0),
                );
            }
            for (const [label, code] of pages.flatMap(codesIn)) {
                codes.set(label, [...(codes.get(label) ?? []), code]);
            }
            count(group, "codes", pages.flatMap(codesIn).length);
        });
    }

    for (const [name, label] of Object.entries(languages)) {
        it(`have code that the language itself reads: ${label}`, async function () {
            const runner = runners[name];
            assert.ok(runner);
            if (!(await isInstalled(runner))) {
                console.log(`    skipped: ${runner.isInstalled.join(" ")} fails here`);
                this.skip();
            }
            const all = codes.get(label) ?? [];
            assert.ok(all.length > 600, `${all.length} codes`);
            await withFolder((folder) => checkAll(runner, all, folder));
        });
    }

    it("would fail this comparison without one of the parameters, or with code that has a mistake", async () => {
        const source = readFileSync(galaxy.file, "utf8");
        const [first] = expectedOperations(JSON.parse(source) as Record<string, unknown>);
        assert.ok(first);
        const longer = { ...first, parameters: [...first.parameters, "flux-capacitor"] };
        const pages = await pagesOf(source);
        assert.deepEqual(missingFrom(pages.map(textOf), [longer]), [`${first.name}: flux-capacitor`]);
        const [[, code = ""] = []] = pages.flatMap(codesIn);
        await assert.rejects(withFolder((folder) => checkAll(runners["curl"] as never, [`${code} '`], folder)));
    });
});
