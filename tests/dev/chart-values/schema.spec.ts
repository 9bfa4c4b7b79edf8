import assert from "node:assert/strict";
import { schemaText, valuesSchema } from "../../../dev/chart-values/schema.js";
import { jsonText } from "../../../dev/chart-values/text.js";
import { charts, readChartFile, type Schema } from "../../../dev/chart-values/values.js";

const types = {
    types: {
        port: { type: "integer", maximum: 65535 },
        ports: { type: "array", items: { $ref: "#/definitions/port" } },
        unused: {},
    },
    unlisted: {},
    names: { dnsPorts: "ports", port: "port", labels: { additionalProperties: { type: "string" } } },
};

function propertiesOf(...lines: string[]) {
    const { properties, definitions } = valuesSchema("documentation-site", lines.join("\n"), types);
    return { ...(properties as object), ...(Object.keys(definitions as object).length > 0 && { definitions }) };
}

/** Returns the paths of values that have no comment and are in no group with a comment. */
function undescribed({ description, $ref, properties }: Schema, types: Schema, path = ""): string[] {
    if (description !== undefined) {
        return [];
    }
    if (properties !== undefined) {
        return Object.entries(properties as Schema).flatMap(([name, value]) =>
            undescribed(value as Schema, types, `${path}/${name}`),
        );
    }
    const type = types[String($ref).split("/").at(-1)!] as Schema | undefined;
    return type?.description === undefined ? [path] : [];
}

describe("The schema of a chart's values", () => {
    for (const chart of charts) {
        it(`has the patterns and texts of its source: ${chart}`, () => {
            assert.deepEqual(JSON.parse(schemaText(chart)), valuesSchema(chart));
        });

        it(`describes each value, or the group that contains it: ${chart}`, () => {
            const schema = valuesSchema(chart);
            assert.deepEqual(undescribed(schema, schema.definitions as Schema), []);
        });

        it(`matches values.yaml: run \`npm run references\` after changing a value: ${chart}`, () => {
            assert.equal(readChartFile(chart, "values.schema.json"), schemaText(chart));
        });
    }

    it("has the types of the defaults, and refuses other values of a group", () => {
        assert.deepEqual(propertiesOf("a: true", "b: x", "c: 2", "d: []", "e: {}", "f: { g: [x] }"), {
            a: { type: "boolean" },
            b: { type: "string" },
            c: { type: "integer", minimum: 1, maximum: 2147483647 },
            d: { type: "array", items: { type: "object" } },
            e: { type: "object" },
            f: {
                type: "object",
                properties: { g: { type: "array", items: { type: "string" } } },
                additionalProperties: false,
            },
        });
    });

    it("has what the comment says, above the value or next to it, with the rest of the comment as its description", () => {
        const lines = [
            "# The whole.",
            "# @schema { required: [a], properties: { z: {} } }",
            "",
            "# The first,",
            "# of two.",
            "# @schema { required: [b],",
            "#   minProperties: 1 }",
            "a:",
            "  b: 1 # @schema { maximum: 5 }",
            "# Another.",
            "c: '' # @schema port",
        ];
        const { description, required, properties } = valuesSchema("documentation-site", lines.join("\n"), types);
        assert.deepEqual([description, required], ["The whole.", ["a"]]);
        assert.deepEqual(properties, {
            a: {
                description: "The first, of two.",
                type: "object",
                properties: { b: { type: "integer", minimum: 1, maximum: 5 } },
                additionalProperties: false,
                required: ["b"],
                minProperties: 1,
            },
            c: { description: "Another.", allOf: [{ $ref: "#/definitions/port" }] },
            z: {},
        });
    });

    it("has the types that belong to names, unless the comment has another, and only the types that it uses", () => {
        assert.deepEqual(propertiesOf("a:", "  dnsPorts: [53]", "b:", "  port: 80 # @schema { minimum: 1024 }"), {
            a: {
                type: "object",
                properties: { dnsPorts: { $ref: "#/definitions/ports" } },
                additionalProperties: false,
            },
            b: {
                type: "object",
                properties: { port: { type: "integer", minimum: 1024, maximum: 2147483647 } },
                additionalProperties: false,
            },
            definitions: { ports: types.types.ports, port: types.types.port },
        });
    });

    it("names a type that does not exist", () => {
        assert.throws(() => propertiesOf("a: 1 # @schema prot"), /charts\/value-types\.yaml has no type prot\./);
    });
});

describe("JSON as people write it", () => {
    it("has short lists and objects on one line, and breaks others", () => {
        assert.equal(jsonText({ a: [1, { b: "x" }], c: {} }), '{"a": [1, {"b": "x"}], "c": {}}');
        const long = "x".repeat(80);
        const text = `{\n  "a": [\n    "${long}",\n    "${long}"\n  ],\n  "b": {"c": 1}\n}`;
        assert.equal(jsonText({ a: [long, long], b: { c: 1 } }), text);
    });
});
