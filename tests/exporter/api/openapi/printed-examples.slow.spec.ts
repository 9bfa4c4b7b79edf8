import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Sampler } from "../../../../exporter/src/api/parts/sample.js";
import { schemaPlaces } from "../../support/schema-places.js";

type Json = Readonly<Record<string, unknown>>;

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const models: Readonly<Record<string, Json>> = {
    Tree: {
        type: "object",
        required: ["label"],
        properties: { label: { type: "string" }, parent: ref("Tree"), children: { type: "array", items: ref("Tree") } },
    },
    Pet: {
        type: "object",
        required: ["kind"],
        oneOf: [ref("Cat"), ref("Dog")],
        discriminator: { propertyName: "kind", mapping: { feline: "#/components/schemas/Cat" } },
        properties: { kind: { type: "string" } },
    },
    Cat: { type: "object", required: ["lives"], properties: { kind: { type: "string" }, lives: { type: "integer" } } },
    Dog: { type: "object", properties: { kind: { const: "dog" }, barks: { type: "boolean" } } },
    Status: { type: "string", enum: ["open", "closed"] },
    Base: { type: "object", required: ["id"], properties: { id: { type: "integer" }, note: { type: "string" } } },
};

const schemas: readonly Json[] = [
    { type: "integer", maximum: 5 },
    { type: "integer", minimum: 1000 },
    { type: "integer", exclusiveMinimum: 4, exclusiveMaximum: 6 },
    { type: "number", minimum: 0, maximum: 1 },
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
    { type: "number", multipleOf: 0.5, maximum: 10 },
    { type: "integer", multipleOf: 7, minimum: 200 },
    { type: "integer", minimum: -10, maximum: -3 },
    { type: "string", minLength: 20 },
    { type: "string", maxLength: 3 },
    { type: "string", enum: ["a", "b"] },
    ...["date", "date-time", "email", "uuid", "uri", "ipv4", "ipv6", "hostname", "time", "duration"].map((format) => ({
        type: "string",
        format,
    })),
    { type: ["null", "string"] },
    { type: "null" },
    { const: 7 },
    { const: null },
    { anyOf: [{ const: null }, { const: 5 }] },
    { type: "array", items: { type: "string" }, minItems: 3 },
    { type: "array", items: { type: "integer" }, minItems: 3, uniqueItems: true },
    { type: "array", items: { enum: ["x", "y", "z"] }, minItems: 2, uniqueItems: true },
    { type: "array", items: { type: "string" }, maxItems: 0 },
    { type: "array", prefixItems: [{ type: "integer" }, { type: "boolean" }] },
    { type: "array", contains: { type: "integer" } },
    { type: "object", additionalProperties: { type: "integer", maximum: 4 } },
    { type: "object", additionalProperties: { type: "string" }, minProperties: 2 },
    { type: "object", required: ["a", "b"], properties: { a: { type: "integer" } } },
    { type: "object", properties: { a: { type: "integer" } }, additionalProperties: false },
    { type: "object", oneOf: [{ required: ["a"], properties: { a: { type: "integer" } } }, { required: ["b"] }] },
    { type: "object", properties: { a: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    { oneOf: [{ type: "null" }, { type: "integer", minimum: 500 }] },
    { anyOf: [ref("Status"), { type: "null" }] },
    { allOf: [ref("Status")] },
    { allOf: [ref("Base"), { required: ["note"], properties: { note: { enum: ["n"] } } }] },
    { allOf: [{ type: "integer", minimum: 200 }, { maximum: 300 }] },
    ref("Tree"),
    ref("Pet"),
    ref("Status"),
];

describe("A printed example", () => {
    const validators = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(validators);

    for (const [place, put] of Object.entries(schemaPlaces)) {
        it(`is valid in ${place}`, () => {
            for (const schema of schemas) {
                const whole = put(schema);
                const value = new Sampler({ root: { components: { schemas: models } } }, {}).sample(whole);
                const isValid = validators.compile({ ...wholeWith(whole), components: { schemas: models } });
                const shown = `${JSON.stringify(value)} of ${JSON.stringify(whole)}`;
                assert.ok(isValid(value), `${shown}: ${JSON.stringify(isValid.errors)}`);
            }
        });
    }
});

/** A schema as JSON Schema knows it; a reference at its root leads to the models next to it. */
function wholeWith(schema: Json): Json {
    const plain = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
        key === "nullable" ? undefined : value,
    ) as Json;
    return "$ref" in plain ? { allOf: [plain] } : plain;
}
