import { Ajv } from "ajv";
import fc from "fast-check";

/** The part of JSON schemas that charts/value-types.yaml uses for pods. */
interface Schema {
    readonly $ref?: string;
    readonly type?: string | readonly string[];
    readonly enum?: readonly unknown[];
    readonly const?: unknown;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
    readonly items?: Schema;
    readonly minItems?: number;
    readonly maxItems?: number;
    readonly minimum?: number;
    readonly maximum?: number;
}

/** Examples of definitions that are texts with a form, or maps. */
const examples: Readonly<Record<string, readonly unknown[]>> = {
    labelKey: ["app", "example.com/team", "topology.kubernetes.io/zone"],
    labelValue: ["", "docs", "docs_1.0"],
    labels: [{}, { app: "docs", "example.com/team": "" }],
    texts: [{}, { "example.com/note": "two words\n" }],
    nonEmpty: ["docs"],
    network: ["10.0.0.0/8", "2001:db8::/32"],
    objects: [[]],
    quantities: [null, {}, { cpu: "100m" }, { cpu: 0.1, memory: "256Mi" }, { memory: 3e8, "ephemeral-storage": "1e9" }],
    quantity: ["0", "100m", 1, 0.5, "1e3", ".5"],
};

/** Examples of properties that contradict others, depending on their values. */
const properties: Readonly<Record<string, readonly unknown[]>> = {
    matchLabelKeys: [["pod-template-hash"]],
    mismatchLabelKeys: [["tenant"]],
    except: [[]],
};

/** Returns values that a definition of a chart's schema accepts. */
export function arbitraryValue(name: string, definitions: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
    const ajv = new Ajv({ strict: false });
    const of = (schema: Schema): fc.Arbitrary<unknown> => {
        const referred = schema.$ref?.replace("#/definitions/", "");
        if (referred !== undefined) {
            return referred in examples ? fc.constantFrom(...examples[referred]!) : of(definitions[referred]!);
        }
        const isValid = ajv.compile({ ...schema, definitions });
        return ofStructure(schema).filter((each) => isValid(each));
    };
    const ofStructure = (schema: Schema): fc.Arbitrary<unknown> => {
        if ("const" in schema) {
            return fc.constant(schema.const);
        }
        if (schema.enum !== undefined) {
            return fc.constantFrom(...schema.enum);
        }
        if (schema.properties !== undefined) {
            const fields = Object.entries(schema.properties).map(([key, each]): [string, fc.Arbitrary<unknown>] => [
                key,
                key in properties ? fc.constantFrom(...properties[key]!) : of(each),
            ]);
            return fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] });
        }
        if (schema.items !== undefined) {
            const { minItems: minLength = 0, maxItems = 2 } = schema;
            return fc.array(of(schema.items), { minLength, maxLength: Math.min(2, maxItems) });
        }
        if (schema.type === "integer") {
            return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 100, 100) });
        }
        return schema.type === "boolean" ? fc.boolean() : fc.constantFrom("", "docs", "1");
    };
    return of({ $ref: `#/definitions/${name}` });
}
