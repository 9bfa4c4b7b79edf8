import assert from "node:assert/strict";
import { type ApiDisplay } from "../../../../exporter/src/read/settings/site-settings.js";
import { renderedOperation } from "../../support/rendered-operation.js";

type Json = Readonly<Record<string, unknown>>;

/** The text of a page with its code blocks, each after its title in brackets. */
function pageOf(node: Json, display: ApiDisplay = {}): string {
    const { html, beside } = renderedOperation(
        { responses: {}, ...node },
        {},
        {
            display,
            code: (code, _, title = "") => `[${title}] ${code}\n`,
        },
    );
    return ((beside?.html ?? "") + html).replace(/<[^>]*>/g, " ");
}

const schema = { type: "object", properties: { name: { type: "string" } } };
const value = { name: "documented" };
const withJson = (media: Json, first: Json = {}) => ({
    requestBody: { content: { ...first, "application/json": { schema, ...media } } },
});
const bodyOf = (page: string) => /Body #[^]*/.exec(page)?.[0] ?? "";

describe("The documented example of a request body", () => {
    for (const [what, media] of [
        ["example", { example: value }],
        ["examples", { examples: { one: { value } } }],
        ["the example of its schema", { schema: { ...schema, example: value } }],
    ] as const) {
        it(`is on the page if the code sends another type of body: ${what}`, () => {
            assert.match(bodyOf(pageOf(withJson(media, { "multipart/form-data": { schema } }))), /documented/);
        });

        it(`is on the page if the page has no code: ${what}`, () => {
            assert.match(bodyOf(pageOf(withJson(media), { makesSamples: false })), /documented/);
        });

        it(`is not repeated if the code contains it: ${what}`, () => {
            const page = pageOf(withJson(media));
            assert.match(page, /\[cURL\][^]*documented/);
            assert.doesNotMatch(bodyOf(page), /documented/);
        });
    }

    for (const [what, type, media, isRepeated] of [
        ["fields that its schema names", "multipart/form-data", { example: value }, false],
        ["a field that its schema does not name", "multipart/form-data", { example: { a: "documented" } }, false],
        [
            "a field of a model that its schema consists of",
            "application/x-www-form-urlencoded",
            { schema: { allOf: [{}, { properties: { a: { example: "documented" } } }] } },
            false,
        ],
        ["a text in place of fields", "multipart/form-data", { example: "documented" }, false],
        ["a list in place of fields", "application/x-www-form-urlencoded", { example: ["documented"] }, true],
        [
            "a file",
            "multipart/form-data",
            { schema: { properties: { a: { format: "binary" } } }, example: { a: "documented" } },
            true,
        ],
    ] as const) {
        it(`of a form is ${isRepeated ? "below its fields" : "in the code"} if it has ${what}`, () => {
            const page = pageOf({ requestBody: { content: { [type]: { schema, ...media } } } });
            assert.equal(/\[cURL\][^]*documented[^]*\[JavaScript\]/.test(page), !isRepeated);
            assert.equal(/\[Example\][^]*documented/.test(bodyOf(page)), isRepeated);
        });
    }

    it("is on the page if the document has its own code in all languages", () => {
        const samples = ["curl", "javascript", "python", "go"].map((lang) => ({ lang, source: "send()" }));
        assert.match(bodyOf(pageOf({ ...withJson({ example: value }), "x-codeSamples": samples })), /documented/);
    });

    it("is on the page next to the example of its schema", () => {
        const media = { example: value, schema: { ...schema, example: { name: "of the schema" } } };
        assert.match(bodyOf(pageOf(withJson(media))), /documented[^]*of the schema/);
    });

    it("is on the page of a webhook's callback", () => {
        const callbacks = { done: { "{$url}": { post: { ...withJson({ example: value }), responses: {} } } } };
        assert.match(pageOf({ callbacks }), /Callbacks #[^]*documented/);
    });

    it("does not exist if the document has none: the page shows no invented example as a documented one", () => {
        assert.doesNotMatch(bodyOf(pageOf(withJson({}), { makesSamples: false })), /\[/);
    });
});

describe("The summary of an example", () => {
    const examples = { one: { summary: "Summary of it", value } };

    it("is shown if the example is alone: of a request", () => {
        assert.match(bodyOf(pageOf(withJson({ examples }))), /\[Summary of it\][^]*documented/);
    });

    it("is shown if the example is alone: of a response", () => {
        const responses = { 200: { description: "", content: { "application/json": { schema, examples } } } };
        assert.match(pageOf({ responses }), /\[200 Summary of it\][^]*documented/);
    });

    it("is shown next to the value of a parameter", () => {
        const parameter = { name: "p", in: "query", schema: { type: "string", example: "other" }, examples };
        assert.match(
            pageOf({ parameters: [parameter] }),
            /Examples: +\{&quot;name&quot;:&quot;documented&quot;\} +: Summary of it, +&quot;other&quot;/,
        );
    });
});
