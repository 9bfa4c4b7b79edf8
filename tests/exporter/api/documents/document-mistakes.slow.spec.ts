import assert from "node:assert/strict";
import { contentOf } from "../../../../exporter/src/api/documents/document-content.js";
import { type Files, warningsOf, withExport } from "../../support/site-fixture.js";

const siteOf = (document: string, others: Files = {}): Files => ({
    "docs.json": JSON.stringify({ navigation: { groups: [{ group: "API", openapi: "api.yaml" }] } }),
    "api.yaml": document,
    ...others,
});
const operation = `openapi: 3.0.0
paths:
  /pots:
    get:
      summary: List pots
`;

describe("An API document in YAML", () => {
    it("has the fields and responses that merge keys bring in", async () => {
        const document = `${operation}      parameters:
        - <<: &page { name: page, in: query, schema: { type: integer }, description: Which page. }
          required: true
      responses:
        <<: &errors { 429: { description: Too many cups. } }
        200:
          description: The pots.
          content: { application/json: { schema: { $ref: "#/components/schemas/Big" } } }
components:
  schemas:
    Pot: &pot { type: object, properties: &fields { label: { type: string, description: Its label. } } }
    Big: { <<: *pot, properties: { <<: *fields, handles: { type: integer, description: Its handles. } } }
`;
        await withExport(siteOf(document), async ({ read, warnings }) => {
            const html = await read("api-reference/list-pots.html");
            for (const text of ["Which page.", "Too many cups.", "Its label.", "Its handles."]) {
                assert.ok(html.includes(text), text);
            }
            assert.doesNotMatch(html, /&lt;&lt;/);
            assert.deepEqual(warnings, []);
        });
    });

    it("is exported without the values that contain themselves", async () => {
        const document = `${operation}      responses:
        200:
          description: Done.
          content: { application/json: { schema: &s { properties: { inner: *s } }, example: &e { name: Ada, me: *e } } }
`;
        await withExport(siteOf(document), async ({ read, warnings }) => {
            assert.match(await read("api-reference/list-pots.html"), /Ada/);
            assert.deepEqual(
                warnings.map(({ reason }) => reason),
                ["aliases within their own anchors (2) are left out: use $ref for a schema that contains itself"],
            );
        });
    });

    for (const [what, document, line, reason] of [
        [
            "an unquoted colon",
            `${operation}      description: One: two\n      responses: {}\n`,
            6,
            /colon and a space must be in quotes/,
        ],
        [
            "a key that occurs twice",
            `${operation}      responses: {}\n      responses: {}\n`,
            7,
            /the key occurs twice/,
        ],
        [
            "JSON with a comma too many",
            `{"openapi":"3.0.0",\n"paths":{"/a":{"get":{}}},\n"x":[1,}\n`,
            3,
            /bracket has no end/,
        ],
    ] as const) {
        it(`names the line and the column of ${what}`, async () => {
            const warnings = await warningsOf(siteOf(document));
            const [found = ""] = warnings.filter((each) => reason.test(each));
            assert.match(found, new RegExp(`^api\\.yaml:${line}: column \\d+: `), warnings.join("\n"));
        });
    }
});

describe("JSON of an API document", () => {
    const path = '"paths": {"/*": {"get": {"summary": "http://a, // no comment", "responses": {}}}}';

    for (const [what, text, line] of [
        ["in a line", `{\n  // It.\n  "openapi": "3.0.0",\n${path}}`, 2],
        ["after a value", `{\n  "openapi": "3.0.0", // It.\n${path}}`, 2],
        ["on two lines before the object", `/* It.\n */\n{"openapi": "3.0.0",\n${path}}`, 1],
        ["after the object", `{"openapi": "3.0.0",\n${path}} // It.`, 2],
    ] as const) {
        it(`is read without its comments, and a warning names the first one: ${what}`, async () => {
            await withExport(siteOf(text), async ({ read, warnings }) => {
                assert.match(await read("api-reference/http-a-no-comment.html"), /http:\/\/a, \/\/ no comment/);
                const [found, ...others] = warnings;
                assert.match(found?.reason ?? "", /^JSON has no comments/);
                assert.equal(found?.line, line);
                assert.deepEqual(others, []);
            });
        });
    }

    it("with another mistake causes no warning about comments", async () => {
        const warnings = await warningsOf(siteOf(`{"openapi": "3.0.0",\n${path},\n"x":[1,}\n`));
        assert.match(warnings.join("\n"), /bracket has no end/);
        assert.doesNotMatch(warnings.join("\n"), /comment/);
    });
});

describe("YAML of an API document", () => {
    const withText = (text: string) => `${operation}      responses: {}\n      description: Text of it.\n${text}`;

    it("may repeat a part by thousands of aliases, but not endlessly", async () => {
        const uses = Array.from({ length: 3000 }, (_, at) => `x-use-${at}: *part\n`).join("");
        assert.deepEqual(await warningsOf(siteOf(withText(`x-part: &part { a: 1 }\n${uses}`))), []);
        const levels = Array.from({ length: 12 }, (_, at) => {
            const inner =
                at === 0
                    ? "1"
                    : Array<string>(10)
                          .fill(`*l${at - 1}`)
                          .join(", ");
            return `x-l${at}: &l${at} [${inner}]\n`;
        });
        const others = {
            "docs.json": JSON.stringify({ navigation: { pages: ["home", { group: "API", openapi: "api.yaml" }] } }),
            "home.md": "# Home\n",
        };
        const warnings = await warningsOf(siteOf(withText(levels.join("")), others));
        assert.match(
            warnings.join("\n"),
            /the document cannot be read: its aliases expand to more than 1000000 values/,
        );
    });

    it("keeps the zeros at the beginning of a text", async () => {
        const parameters =
            "      parameters: [{ name: zip, in: query, example: 01234, schema: { type: string, default: 007 } }]\n";
        await withExport(siteOf(withText(parameters)), async ({ read }) => {
            const html = (await read("api-reference/list-pots.html")).replace(/<\/?span[^>]*>/g, "");
            assert.match(html, /default: &quot;007&quot;/);
            assert.match(html, /zip=01234/);
        });
    });
});

describe("A number of a YAML document", () => {
    const read = (yaml: string) => contentOf(yaml);

    it("stays as it is written where its schema is of strings", () => {
        assert.deepEqual(
            read("{type: string, example: 1.10, default: 1.0, enum: [1.10, 2.5, 1e3, a]}\n".replace("{", "a: {")),
            {
                a: { type: "string", example: "1.10", default: "1.0", enum: ["1.10", 2.5, "1e3", "a"] },
            },
        );
        assert.deepEqual(read("type: [string, 'null']\nexamples: [1.10, null]\n"), {
            type: ["string", "null"],
            examples: ["1.10", null],
        });
        assert.deepEqual(read("name: v\nschema:\n  type: string\nexample: 1.10\n"), {
            name: "v",
            schema: { type: "string" },
            example: "1.10",
        });
    });

    it("is a number in any other schema", () => {
        for (const type of ["number", "[string, number]", "{ type: string }"]) {
            const { example } = read(`type: ${type}\nexample: 1.10\n`) as { example: unknown };
            assert.equal(example, 1.1, type);
        }
    });
});

describe("References in an API document", () => {
    const document = `${operation}      responses:
        default: { $ref: parts.yaml#/Failure }
        200:
          description: Done.
          content:
            application/json:
              schema:
                type: object
                properties:
                  example: { $ref: parts.yaml#/Money }
                  value: { $ref: parts.yaml#/Money }
                  default: { $ref: parts.yaml#/Money }
                  enum: { $ref: parts.yaml#/Money }
              examples: { big: { $ref: big.yaml } }
`;
    const parts = `Failure: { description: It failed. }
Money: { type: object, properties: { cents: { type: integer, description: In cents. } } }
`;

    it("are followed under names that are also keywords, and in lists of examples", async () => {
        const others = { "parts.yaml": parts, "big.yaml": "summary: A big one\nvalue: { example: { cents: 4711 } }\n" };
        await withExport(siteOf(document, others), async ({ read, warnings }) => {
            const html = await read("api-reference/list-pots.html");
            assert.equal(html.split("In cents.").length - 1, 4);
            assert.match(html, /It failed\./);
            assert.match(html, /4711/);
            assert.deepEqual(warnings, []);
        });
    });

    it("are reported if the file is missing, also that of an example", async () => {
        const warnings = await warningsOf(siteOf(document, { "parts.yaml": parts }));
        assert.deepEqual(
            warnings.map((each) => /reference (\S+) has no target/.exec(each)?.[1]),
            ["big.yaml"],
        );
    });

    it("are data in the value of an example", async () => {
        const value = `${operation}      responses: { 200: { description: Done., content: { application/json: {
            schema: { type: object, default: { $ref: none.yaml } }, example: { $ref: none.yaml } } } } }
`;
        await withExport(siteOf(value), async ({ read, warnings }) => {
            assert.match(await read("api-reference/list-pots.html"), /none\.yaml/);
            assert.deepEqual(warnings, []);
        });
    });
});
