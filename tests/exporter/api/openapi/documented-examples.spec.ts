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

describe("An example that is null", () => {
    const nullable = { schema: { type: ["object", "null"], properties: { a: {} } } };
    const responsesWith = (media: Json) => ({
        responses: { 200: { description: "", content: { "application/json": { ...nullable, ...media } } } },
    });

    it("is on the page next to others, with its summary", () => {
        const examples = { none: { summary: "Nothing", value: null }, some: { summary: "Something", value } };
        const page = pageOf(responsesWith({ examples }));
        assert.match(page, /\[200 Nothing\] null[^]*\[200 Something\][^]*documented/);
    });

    for (const [what, media] of [
        ["the only example", { example: null }],
        ["the only one of several possible examples", { examples: { one: { value: null } } }],
        ["in the form of OpenAPI 3.2", { examples: { one: { dataValue: null } } }],
        ["the example of the schema", { schema: { ...nullable.schema, example: null } }],
    ] as const) {
        it(`is on the page as ${what}`, () => {
            assert.match(pageOf(responsesWith(media)), /\[200\] null/);
        });
    }

    it("is on the page next to the value of a parameter", () => {
        const examples = { none: { summary: "Nothing", value: null } };
        const parameter = { name: "p", in: "query", schema: { type: ["string", "null"] }, examples };
        assert.match(pageOf({ parameters: [parameter] }), /Example: +null +: Nothing/);
    });

    it("is below the fields of a request whose code sends another example", () => {
        const examples = { none: { summary: "Nothing", value: null }, some: { value } };
        const page = pageOf(withJson({ examples }));
        assert.match(page, /\[cURL\][^]*documented/);
        assert.match(bodyOf(page), /\[Nothing\] null/);
    });
});

describe("XML that only a schema describes", () => {
    const xml = {
        type: "object",
        xml: { name: "petXML" },
        properties: { id: { type: "integer", xml: { name: "no" } } },
    };
    const shown = /<petXML><no>123<\/no><\/petXML>/;
    const titlesOf = (page: string) => [...page.matchAll(/\[(.*?)\]/g)].map(([, title]) => title);
    /** The page of an operation with code blocks as text. */
    const pageWith = (content: Json, display: ApiDisplay = {}) => {
        const node = { requestBody: { content }, responses: { 200: { description: "", content } } };
        const blocks: string[] = [];
        renderedOperation(node, {}, { display, code: (code, _, title) => (blocks.push(`[${title}] ${code}`), "") });
        return {
            ofRequest: blocks.filter((block) => /^\[(?:Example|application\/xml)\]/.test(block)).join("\n"),
            ofCode: blocks.filter((block) => block.startsWith("[cURL]")).join("\n"),
            ofResponse: blocks.filter((block) => block.startsWith("[200")).join("\n"),
        };
    };

    it("is on the page next to JSON of the same schema, of a request and of a response", () => {
        const { ofCode, ofRequest, ofResponse } = pageWith({
            "application/json": { schema: xml },
            "application/xml": { schema: xml },
        });
        assert.match(ofCode, /"id": 123/);
        assert.match(ofRequest, shown);
        assert.deepEqual(titlesOf(ofRequest), ["application/xml"]);
        assert.match(ofResponse, shown);
        assert.deepEqual(titlesOf(ofResponse), ["200 Example", "200 application/xml"]);
    });

    it("is on the page next to JSON of another schema", () => {
        const content = { "application/json": { schema }, "application/xml": { schema: xml } };
        assert.match(pageWith(content).ofRequest, shown);
        assert.match(pageWith(content).ofResponse, shown);
    });

    it("is on the page without code, and not repeated if the code contains it", () => {
        const content = { "application/xml": { schema: xml } };
        assert.match(pageWith(content, { makesSamples: false }).ofRequest, shown);
        const { ofCode, ofRequest } = pageWith(content);
        assert.match(ofCode, shown);
        assert.equal(ofRequest, "");
    });

    it("is not invented for a picture in XML, or where the document has an example", () => {
        const content = {
            "application/json": { schema },
            "image/svg+xml": { schema: { type: "string", format: "binary" } },
            "application/xml": { schema: xml, example: "<own/>" },
        };
        assert.deepEqual(titlesOf(pageWith(content).ofResponse), ["200 Example", "200 application/xml"]);
        assert.match(pageWith(content).ofResponse, /<own\/>/);
    });
});

describe("A generated example", () => {
    it("leaves out what the schema forbids: a property, also a required one, and all items of a list", () => {
        const closed = {
            type: "object",
            required: ["never"],
            properties: { no: false, never: false, yes: { type: "integer" }, list: { type: "array", items: false } },
        };
        const content = { "application/json": { schema: closed } };
        const page = pageOf({ responses: { 200: { description: "", content } } }).replace(/\s+/g, "");
        assert.match(page, /\[200\]\{"yes":123,"list":\[\]\}/);
    });
});
