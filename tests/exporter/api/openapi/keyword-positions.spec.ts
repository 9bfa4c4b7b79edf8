import assert from "node:assert/strict";
import { Sampler } from "../../../../exporter/src/api/parts/sample.js";
import { renderedOperation } from "../../support/rendered-operation.js";
import { schemaKeywords } from "../../support/schema-keywords.js";
import { schemaPlaces } from "../../support/schema-places.js";
import { plainTextOfHtml } from "../../../../exporter/src/text/html-text.js";

type Json = Readonly<Record<string, unknown>>;

const textOf = (...given: Parameters<typeof htmlOf>) => plainTextOfHtml(htmlOf(...given));

function htmlOf(schema: Json, place: "requestBody" | "responses", models: Json = {}): string {
    const content = { "application/json": { schema } };
    const node = { responses: {}, [place]: place === "responses" ? { 200: { content } } : { content } };
    return renderedOperation(node, models).html;
}

describe("A keyword of a schema", () => {
    for (const [place, put] of Object.entries(schemaPlaces)) {
        it(`is shown in ${place}, directly and as a model`, () => {
            const lost: string[] = [];
            for (const [type, all] of Object.entries(schemaKeywords)) {
                for (const [keyword, shown] of all) {
                    const schema = { type, ...keyword };
                    const model = { $ref: "#/components/schemas/Model" };
                    const texts = [
                        textOf(put(schema), "requestBody"),
                        textOf(put(schema), "responses"),
                        textOf(put(model), "requestBody", { Model: schema }),
                    ];
                    lost.push(
                        ...texts.flatMap((text, at) =>
                            text.includes(shown) ? [] : [`${Object.keys(keyword).join()} (${String(at)})`],
                        ),
                    );
                }
            }
            // A body's examples are shown as code.
            const inCode = /^examples? /;
            assert.deepEqual(place === "a body" ? lost.filter((each) => !inCode.test(each)) : lost, []);
        });
    }
});

/** The names and labels of the fields of a body, in order. */
function fieldsOf(schema: Json, models: Json = {}): string[] {
    const html = htmlOf(schema, "requestBody", models);
    return [...html.matchAll(/<p class="field-name"><code>(.*?)<\/p>/g)].map(([, line = ""]) =>
        line
            .replace(/<[^>]*>/g, " ")
            .replace(/\s+/g, " ")
            .trim(),
    );
}

describe("The parts of a schema", () => {
    const Thing = { type: "object", properties: { name: { type: "string" }, colour: { type: "string" } } };
    const thing = { $ref: "#/components/schemas/Thing" };

    it("are required by the schema around them, and by each other", () => {
        const all = { allOf: [thing, { required: ["colour"], properties: { size: { type: "integer" } } }] };
        assert.deepEqual(fieldsOf({ ...all, required: ["name"] }, { Thing }), [
            "application/json",
            "name string required",
            "colour string required",
            "size integer",
        ]);
    });

    it("are one field where one part refines another", () => {
        const kind = { type: "string", enum: ["dog"], description: "Always a dog." };
        const schema = { allOf: [thing, { properties: { name: kind } }] };
        assert.deepEqual(fieldsOf(schema, { Thing }), ["application/json", "name string", "colour string"]);
        assert.match(textOf(schema, "requestBody", { Thing }), /Always a dog\.[^]*"dog"/);
    });

    it("have the tighter of two limits, and both of two rules that cannot be joined", () => {
        const one = { type: "string", minLength: 2, maxLength: 9, pattern: "^a", enum: ["ab", "ac"] };
        const other = { minLength: 1, maxLength: 20, pattern: "c$", enum: ["ac", "bc"] };
        const text = textOf({ allOf: [one, other] }, "requestBody");
        assert.match(text, /minimum length: 2; maximum length: 9; pattern: \^a/);
        assert.match(text, /pattern: c\$/);
        assert.match(text, /One of "ac"/);
        assert.doesNotMatch(text, /"ab"|"bc"/);
    });

    it("do not describe a model that adds fields to them: readers open their descriptions", () => {
        const Parent = { ...Thing, title: "Parent of all", description: "About parents.", example: { name: "x" } };
        const schema = { allOf: [{ $ref: "#/components/schemas/Parent" }, { properties: { size: {} } }] };
        assert.doesNotMatch(textOf(schema, "requestBody", { Parent }), /Parent of all/);
        assert.match(
            htmlOf(schema, "requestBody", { Parent }),
            /<details[^>]*><summary>About Parent<\/summary>[^]*About parents\./,
        );
    });

    for (const [name, schema, description] of [
        ["a part after it", { allOf: [{ $ref: "#/components/schemas/Status" }, { description: "Here." }] }, "Here."],
        ["a part before it", { allOf: [{ description: "Here." }, { $ref: "#/components/schemas/Status" }] }, "Here."],
        ["the last of two parts", { allOf: [{ description: "One." }, { description: "Here." }] }, "Here."],
        ["the schema", { description: "Here.", allOf: [{ description: "One." }, { description: "Two." }] }, "Here."],
        ["a model that refines others", { allOf: [{ $ref: "#/components/schemas/Refined" }] }, "Refined."],
    ] as const) {
        it(`are first described by ${name}`, () => {
            const Status = { type: "string", description: "Any status." };
            const Refined = { allOf: [{ description: "One." }, { description: "Two." }], description: "Refined." };
            const text = textOf({ properties: { state: schema } }, "requestBody", { Status, Refined });
            const [shown] = /Here\.|One\.|Two\.|Any status\.|Refined\./.exec(text) ?? [];
            assert.equal(shown, description);
        });
    }

    it("have the description of the part that refines a field", () => {
        const Base = { properties: { state: { type: "string", description: "Any state." } } };
        const base = { $ref: "#/components/schemas/Base" };
        const own = { properties: { state: { description: "Here." } } };
        for (const schema of [{ allOf: [base, own] }, { allOf: [base], ...own }]) {
            const text = textOf(schema, "requestBody", { Base });
            assert.match(text, /state\s*string[^]*Here\.[^]*Any state/);
        }
    });

    it("end where a model contains itself", () => {
        const Node = {
            properties: { next: { description: "Its next.", allOf: [{ $ref: "#/components/schemas/Node" }] } },
        };
        const text = textOf({ $ref: "#/components/schemas/Node" }, "requestBody", { Node });
        assert.match(text, /next\s*Node[^]*Node, as above/);
        assert.equal(text.split("Its next.").length, 2);
    });

    it("of a parent with a discriminator include its children", () => {
        const Animal = {
            type: "object",
            discriminator: { propertyName: "kind" },
            properties: { kind: { type: "string" } },
        };
        const animal = { $ref: "#/components/schemas/Animal" };
        const Cat = { allOf: [animal, { properties: { lives: { type: "integer" } } }] };
        const schema = { type: "array", items: animal };
        assert.deepEqual(fieldsOf(schema, { Animal, Cat }), [
            "application/json Animal[]",
            "kind string",
            "lives integer",
        ]);
        assert.match(textOf(schema, "requestBody", { Animal, Cat }), /Cat[^]*Animal, as above/);
    });
});

describe("The example of a parent with a discriminator", () => {
    const Pet = { type: "object", properties: { kind: { type: "string" } } };
    const pet = { $ref: "#/components/schemas/Pet" };
    const Dog = { allOf: [pet, { properties: { barks: { type: "boolean" } } }] };
    const exampleWith = (mapping: object | undefined, others: object = {}) => {
        const discriminator = { propertyName: "kind", ...(mapping && { mapping }) };
        const schemas = { Pet: { ...Pet, ...others, discriminator }, Dog };
        return new Sampler({ root: { components: { schemas } } }, {}).sample(pet);
    };

    it("is the first child with a value in the mapping, which has none for the parent", () => {
        assert.deepEqual(exampleWith({ cat: "Cat", dog: "Dog" }), { kind: "dog", barks: true });
    });

    it("is the parent if the mapping or the document says so", () => {
        assert.deepEqual(exampleWith(undefined), { kind: "Pet" });
        assert.deepEqual(exampleWith({ pet: "Pet", dog: "Dog" }), { kind: "pet" });
        assert.deepEqual(exampleWith({ cat: "Cat" }), { kind: "Pet" });
        assert.deepEqual(exampleWith({ dog: "Dog" }, { example: { kind: "x" } }), { kind: "x" });
    });
});

describe("The type of a field", () => {
    const person = { $ref: "#/components/schemas/Person" };
    const models = { Person: { type: "object", properties: { first: {} } }, Status: { type: "string", enum: ["a"] } };
    for (const [schema, type] of [
        [{}, "any"],
        [{ description: "Any." }, "any"],
        [false, "never"],
        [{ contentLanguage: "de" }, "string"],
        [{ prefixItems: [{ type: "string" }] }, "any[]"],
        [{ type: "array", items: false }, "[]"],
        [{ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false }, "[string, integer]"],
        [{ additionalProperties: true }, "object"],
        [{ required: ["a"] }, "object"],
        [{ type: ["array", "null"], items: { type: "string" } }, "string[] | null"],
        [{ type: "array", nullable: true, items: { type: "number", nullable: true } }, "(number | null)[] | null"],
        [{ type: ["array", "string"], items: { type: "integer" } }, "integer[] | string"],
        [{ type: "array", items: { type: ["string", "integer"] } }, "(string | integer)[]"],
        [{ items: { items: person } }, "Person[][]"],
        [{ nullable: true, allOf: [person] }, "Person | null"],
        [{ nullable: true, oneOf: [person, { type: "string" }] }, "Person | string | null"],
        [{ anyOf: [person, { type: "null" }] }, "Person | null"],
        [{ anyOf: [{ $ref: "#/components/schemas/Status" }, { type: "string", nullable: true }] }, "string | null"],
        [{ allOf: [{ $ref: "#/components/schemas/Status" }] }, "string"],
        [{ type: ["object", "null"], additionalProperties: { type: "integer" } }, "object | null"],
        [{ type: ["string", "null"], format: "date" }, "string | null (date)"],
    ] as const) {
        it(`is ${type} for ${JSON.stringify(schema)}`, () => {
            const [, field] = fieldsOf({ properties: { it: schema } }, models);
            assert.equal(field, `it ${type}`);
        });
    }
});
