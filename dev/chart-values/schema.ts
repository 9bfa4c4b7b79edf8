import { parse } from "yaml";
import { jsonText } from "./text.js";
import { type Chart, readChartFile, readValues, type Schema, type Value } from "./values.js";

interface ValueTypes {
    readonly types: Readonly<Record<string, Schema>>;
    readonly names: Readonly<Record<string, string | Schema>>;
    readonly unlisted: Readonly<Record<string, Schema>>;
}

/** Returns the text of a chart's values.schema.json. */
export function schemaText(chart: Chart): string {
    return `${jsonText(valuesSchema(chart))}\n`;
}

/** Returns the schema of a chart's values, from the values, their comments and charts/value-types.yaml. */
export function valuesSchema(
    chart: Chart,
    text = readChartFile(chart, "values.yaml"),
    { types, names, unlisted } = parse(readChartFile(".", "value-types.yaml")) as ValueTypes,
): Schema {
    const { root, valuesIn } = readValues(text);
    const schemaOf = (value: Value): Schema => {
        const said = merged(asKeywords(names[value.name]), asKeywords(value.annotation));
        const type = "$ref" in said || "type" in said || "enum" in said || "anyOf" in said ? {} : typeOf(value);
        return described(merged(type, said), value.description);
    };
    const typeOf = (value: Value): Schema => {
        if (!isGroup(value.byDefault)) {
            return typeOfDefault(value.byDefault);
        }
        const properties = Object.fromEntries(valuesIn(value).map((each) => [each.name, schemaOf(each)]));
        return { type: "object", properties, additionalProperties: false };
    };
    const title = { $schema: "http://json-schema.org/draft-07/schema#", title: `Values of ${chart}` };
    const schema = { ...title, ...merged(schemaOf(root), { properties: unlisted }) };
    return { ...schema, definitions: usedTypes(schema, types) };
}

function isGroup(value: unknown): value is object {
    return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

function asKeywords(said: string | Schema = {}): Schema {
    return typeof said === "string" ? { $ref: `#/definitions/${said}` } : said;
}

/** Keywords of the second schema replace those of the first, except for properties, which are added. */
function merged({ $ref, ...first }: Schema, second: Schema): Schema {
    if ("$ref" in second || Object.keys(second).length === 0) {
        return "$ref" in second ? second : { ...($ref === undefined ? {} : { $ref }), ...first };
    }
    const properties = { ...(first.properties as Schema | undefined), ...(second.properties as Schema | undefined) };
    return { ...first, ...second, ...(Object.keys(properties).length > 0 && { properties }) };
}

function typeOfDefault(value: unknown): Schema {
    if (Array.isArray(value)) {
        return { type: "array", items: value.length > 0 ? typeOfDefault(value[0]) : { type: "object" } };
    }
    return typeof value === "number" ? { type: "integer", minimum: 1, maximum: 2147483647 } : { type: typeof value };
}

/** A validator ignores all keywords next to a reference. */
function described({ $ref, ...rest }: Schema, description: string): Schema {
    const type = $ref === undefined ? {} : { allOf: [{ $ref }] };
    return description === ""
        ? { ...($ref === undefined ? {} : { $ref }), ...rest }
        : { description, ...type, ...rest };
}

/** Returns the types to which a schema refers, also through other types. */
function usedTypes(schema: Schema, types: ValueTypes["types"]): Record<string, Schema> {
    const used: Record<string, Schema> = {};
    const add = (each: Schema): void => {
        for (const [, name = ""] of JSON.stringify(each).matchAll(/#\/definitions\/(\w+)/g)) {
            const type = types[name];
            if (type === undefined) {
                throw new Error(`charts/value-types.yaml has no type ${name}.`);
            }
            if (!(name in used)) {
                used[name] = type;
                add(type);
            }
        }
    };
    add(schema);
    return used;
}
