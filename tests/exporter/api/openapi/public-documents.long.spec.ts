import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { withExport } from "../../support/site-fixture.js";

type Json = Readonly<Record<string, unknown>>;

const require = createRequire(import.meta.url);
const oasExamples = dirname(require.resolve("@readme/oas-examples/package.json"));
const galaxy = join(dirname(require.resolve("@scalar/galaxy")), "latest.json");
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** The files of the documents by name. */
const documents: readonly (readonly [string, string])[] = [
    ...["2.0", "3.0", "3.1"].flatMap((version) =>
        readdirSync(join(oasExamples, version, "json"))
            .filter((name) => name.endsWith(".json"))
            .map((name) => [`${version}/${name}`, join(oasExamples, version, "json", name)] as const),
    ),
    ["galaxy", galaxy],
];

function isObject(value: unknown): value is Json {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : [];
}

/** Follows references inside the document. */
function resolve(document: Json, value: unknown): Json {
    const reference = isObject(value) ? value["$ref"] : undefined;
    if (typeof reference !== "string" || !reference.startsWith("#/")) {
        return isObject(value) ? value : {};
    }
    const keys = reference.slice(2).split("/");
    const found = keys.reduce<unknown>((from, key) => {
        const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
        return isObject(from) ? from[name] : undefined;
    }, document);
    return resolve(document, found);
}

interface Operation {
    readonly name: string;
    /** What has to be on the operation's page: its path, parameters, fields and responses. */
    readonly texts: readonly string[];
}

function operationsOf(document: Json): Operation[] {
    return Object.entries(isObject(document["paths"]) ? document["paths"] : {}).flatMap(([path, item]) => {
        const shared = isObject(item) ? listOf(item["parameters"]) : [];
        return methods
            .filter((method) => isObject(item) && isObject(item[method]))
            .map((method) => {
                const operation = resolve(document, (item as Json)[method]);
                const own = listOf(operation["parameters"]);
                const parameters = [...shared, ...own].map((parameter) => resolve(document, parameter));
                const named = parameters.filter((parameter) => parameter["in"] !== "body");
                const body = resolve(document, operation["requestBody"]);
                const contents = isObject(body["content"]) ? Object.values(body["content"]) : [];
                const schemas = contents.map((content) => resolve(document, resolve(document, content)["schema"]));
                const fields = schemas.flatMap(({ properties }) =>
                    isObject(properties) ? Object.keys(properties) : [],
                );
                const responses = Object.keys(isObject(operation["responses"]) ? operation["responses"] : {});
                const texts = [
                    ...[path, ...named.map((parameter) => String(parameter["name"])), ...fields],
                    ...responses.filter((status) => /^\d/.test(status)),
                ];
                return { name: `${method.toUpperCase()} ${path}`, texts };
            });
    });
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'", "#x27": "'" };

function textOf(html: string): string {
    return html.replace(/<[^>]*>/g, "").replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}

/** What is on no page of an operation. */
function missingFrom(pages: readonly string[], operations: readonly Operation[]): string[] {
    return operations.flatMap(({ name, texts }) => {
        const lost = pages.map((page) => texts.filter((text) => !page.includes(text)));
        const least = lost.sort((one, other) => one.length - other.length)[0] ?? texts;
        return least.map((text) => `${name}: ${text}`);
    });
}

async function pagesOf(source: string): Promise<string[]> {
    const pages: string[] = [];
    const navigation = { tabs: [{ tab: "API", openapi: "api.json" }] };
    const site = { "docs.json": JSON.stringify({ navigation }), "api.json": source };
    await withExport(site, async ({ files, read }) => {
        for (const page of (await files()).filter((each) => /^api-reference.*\.html$/.test(each))) {
            pages.push(textOf(await read(page)));
        }
    });
    return pages;
}

describe("The pages of a public OpenAPI document", function () {
    this.timeout(60_000);
    const counts = { documents: 0, operations: 0, texts: 0 };
    after(() => console.log(`      ${JSON.stringify(counts)}`));

    for (const [name, file] of documents) {
        it(`contain every operation, parameter, top-level field and response of ${name}`, async () => {
            const source = readFileSync(file, "utf8");
            const operations = operationsOf(JSON.parse(source) as Json);
            assert.deepEqual(missingFrom(await pagesOf(source), operations), []);
            counts.documents += 1;
            counts.operations += operations.length;
            counts.texts += operations.reduce((sum, { texts }) => sum + texts.length, 0);
        });
    }

    it("would fail this comparison without one of the parameters", async () => {
        const source = readFileSync(galaxy, "utf8");
        const [first] = operationsOf(JSON.parse(source) as Json);
        assert.ok(first);
        const longer = { ...first, texts: [...first.texts, "flux-capacitor"] };
        assert.deepEqual(missingFrom(await pagesOf(source), [longer]), [`${first.name}: flux-capacitor`]);
    });
});
