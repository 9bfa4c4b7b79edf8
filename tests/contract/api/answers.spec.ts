import assert from "node:assert/strict";
import * as api from "@pulumi-static-export/contract/api";
import { Compile } from "typebox/compile";

const clean = (text: string) => text;

/** All tables of fields that the contract exports. */
const tables = Object.entries(api).filter(
    ([, each]) =>
        typeof each === "object" &&
        Object.values(each).every((one) => (one as Partial<api.Field>).presence !== undefined),
) as unknown as [string, api.Fields][];

interface Schema {
    type: string | [string, "null"];
    properties?: Record<string, Schema>;
    items?: Schema;
    enum?: string[];
    pattern?: string;
    format?: string;
    minimum?: number;
}

const texts = ["se_0a", "du_0a", "a".repeat(40), "text"];
const formats: Record<string, string> = { "date-time": "2026-11-20T12:00:00Z", uri: "https://docs.example.com/" };

/** A value that our service may send. @param isNull - whether values that may be null are null */
function valueOf(schema: Schema, isNull: boolean): unknown {
    if (Array.isArray(schema.type) && isNull) {
        return null;
    }
    switch ([schema.type].flat()[0]) {
        case "object":
            return Object.fromEntries(
                Object.entries(schema.properties ?? {}).map(([name, each]) => [name, valueOf(each, isNull)]),
            );
        case "array":
            return [valueOf(schema.items!, isNull)];
        case "boolean":
            return true;
        case "string":
            return (
                schema.enum?.at(-1) ??
                formats[schema.format ?? ""] ??
                texts.find((text) => new RegExp(schema.pattern ?? "text").test(text))
            );
        default:
            return schema.minimum ?? 0;
    }
}

describe("The declared answers of the API", () => {
    it("are found in the contract's exports", () => assert.ok(tables.length > 16));

    for (const [name, table] of tables) {
        it(`let a client read every field of ${name} that our service sends`, () => {
            const { schema, read } = api.object(table);
            const answers = Compile(schema);
            for (const isNull of [true, false]) {
                const sent = valueOf(schema as unknown as Schema, isNull) as Record<string, unknown>;
                assert.ok(answers.Check(sent), `${name}: ${JSON.stringify([...answers.Errors(sent)])}`);
                const found = read({ ...sent, unknownField: 1 }, "the answer", clean);
                const expected = Object.keys(table).filter(
                    (field) => table[field]!.presence === "promised" || sent[field] !== null,
                );
                assert.deepEqual(Object.keys(found), expected);
            }
        });

        it(`let a client read ${name} without the fields that the contract does not promise`, () => {
            const { schema, read } = api.object(table);
            const sent = valueOf(schema as unknown as Schema, false) as Record<string, unknown>;
            // NaN is invalid in every field but a flag, in which everything but true is false.
            const others = Object.keys(table).filter((field) => table[field]!.schema["type"] !== "boolean");
            for (const field of others) {
                const readBroken = () => read({ ...sent, [field]: NaN }, "the answer", clean);
                if (table[field]!.presence === "promised") {
                    assert.throws(readBroken, api.DecodeProblem);
                } else {
                    const { [field]: _, ...rest } = read(sent, "the answer", clean) as Record<string, unknown>;
                    assert.deepEqual(readBroken(), rest);
                }
            }
        });
    }

    it("let a client read a key whose creator is sent in another form", () => {
        const { schema, read } = api.object(api.adminKey);
        const { createdBy: _, ...sent } = valueOf(schema as unknown as Schema, false) as Record<string, unknown>;
        assert.deepEqual(read({ ...sent, createdBy: 7 }, "the answer", clean), read(sent, "the answer", clean));
    });
});
