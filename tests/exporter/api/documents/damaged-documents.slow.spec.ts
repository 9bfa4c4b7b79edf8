import assert from "node:assert/strict";
import fc from "fast-check";
import { plainTextOfHtml } from "../../../../exporter/src/text/html-text.js";
import { scaled } from "../../../scale.js";
import { everyKeyword } from "../../support/every-keyword.js";
import { withExport } from "../../support/site-fixture.js";
import { everyKeywordOf2, everyKeywordOf3 } from "../asyncapi/every-async-keyword.js";

type Node = Record<string, unknown>;

const documents = [
    ["openapi", everyKeyword],
    ["asyncapi", everyKeywordOf2],
    ["asyncapi", everyKeywordOf3],
] as const;

/** Values that are wrong nearly everywhere. */
const values: readonly unknown[] = [
    ...[null, true, 0, -1, 1e308, "", "\u0000", "../../x", "a\nb", "{x}", "---\ntitle: x\n---", "__proto__"],
    ...["<script>alert(1)</script>", "javascript:alert(1)", "x".repeat(3000), "日本".repeat(300), "\ud800"],
    ...[[], {}, [null], [[]], [{}], { toString: 1 }, { allOf: null }, { oneOf: {} }, { properties: [] }, { enum: {} }],
    ...["#", "#/components", "#/paths", "#/nope", "", 5, "nope.json", "../../x"].map(($ref) => ({ $ref })),
];
const names = [
    ...["__proto__", "constructor", "toString", "$ref", "", " ", "a/b", "../x", "<b>", "\u0000", "{a}", "\ud800"],
    ...["x".repeat(400), "/a?b#c", "/%2e%2e/%2f"],
];

/** A document with each keyword, in which some values and names are replaced, or moved to another place. */
const damaged = fc.gen().map((g): readonly [kind: string, document: unknown] => {
    const pick = <T>(items: readonly T[]): T => items[g(fc.nat, { max: items.length - 1 })] as T;
    const [kind, document] = pick(documents);
    const damagedDocument = structuredClone(document) as Node;
    for (let count = g(fc.nat, { max: 8 }); count >= 0; count -= 1) {
        const all = placesIn(damagedDocument);
        const [holder, key] = pick(all);
        const [other, otherKey] = pick(all);
        const change = g(fc.nat, { max: 3 });
        if (change === 0 && !Array.isArray(holder)) {
            const value = holder[key];
            delete holder[key];
            Object.defineProperty(holder, pick(names), { value, enumerable: true, configurable: true, writable: true });
        } else {
            holder[key] = structuredClone(change === 1 ? other[otherKey] : pick(values));
        }
    }
    return [kind, damagedDocument];
});

function placesIn(value: unknown): [holder: Node, key: string][] {
    return typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([key, inner]) => [[value as Node, key] as [Node, string], ...placesIn(inner)])
        : [];
}

describe("The pages of a damaged API document", () => {
    it("are exported, and have neither scripts nor words of JavaScript", async () => {
        await fc.assert(
            fc.asyncProperty(damaged, async ([kind, document]) => {
                const files = {
                    "docs.json": JSON.stringify({
                        navigation: {
                            groups: [
                                { group: "API", [kind]: "api.json" },
                                { group: "Text", pages: ["index"] },
                            ],
                        },
                    }),
                    "index.md": "Text\n",
                    "api.json": JSON.stringify(document),
                };
                await withExport(files, async (site) => {
                    for (const file of (await site.files()).filter((each) => each.endsWith(".html"))) {
                        const html = await site.read(file);
                        assert.doesNotMatch(html, /<script>alert|href="javascript:/);
                        assert.doesNotMatch(plainTextOfHtml(html), /\[object \w+\]|undefined|\bNaN\b/);
                    }
                    const reasons = site.warnings.map(({ reason }) => reason).join("\n");
                    assert.doesNotMatch(reasons, /\[object \w+\]|undefined|is not a function|not iterable/);
                });
            }),
            { numRuns: scaled({ short: 25, long: 500 }), endOnFailure: true },
        );
    });
});
