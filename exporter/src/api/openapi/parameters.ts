import { jsonOf } from "../../text/json-text.js";
import { asRecord, listOf, textOf } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { entriesOf, type Json, resolveReference } from "../documents/references.js";
import { examplesOfSchema, mergedSchema } from "../parts/merged-schema.js";
import { valueOf } from "../parts/sample.js";
import { type SchemaView } from "../parts/schema-fields.js";

/**
 * The parameters of an operation and of its path; the operation's parameters take precedence. Contains a parameter for
 * each name in the path.
 */
export function allParameters({ document, node, pathItem, path, isWebhook }: ApiOperation): Json[] {
    const all = new Map<string, Json>();
    for (const given of [...listOf(pathItem["parameters"]), ...listOf(node["parameters"])]) {
        const parameter = resolveReference(document, given);
        if (typeof parameter?.["in"] === "string" && typeof parameter["name"] === "string") {
            all.set(`${parameter["in"]} ${parameter["name"]}`, parameter);
        }
    }
    for (const [, name = ""] of isWebhook ? [] : path.matchAll(/\{([^{}]+)\}/g)) {
        if (!all.has(`path ${name}`)) {
            all.set(`path ${name}`, { name, in: "path", required: true, schema: { type: "string" } });
        }
    }
    return [...all.values()];
}

export function parametersIn(operation: ApiOperation, place: string): Json[] {
    return allParameters(operation).filter((parameter) => parameter["in"] === place);
}

/** The schema of a parameter, which may be in the description of its only content. */
export function schemaOfParameter(parameter: Json): unknown {
    return parameter["schema"] ?? asRecord(Object.values(asRecord(parameter["content"]))[0])["schema"];
}

/** A parameter, or a response header. */
export function parameterHtml(name: string, parameter: Json, view: SchemaView, notes: readonly string[] = []): string {
    const { document } = view;
    const schema = schemaOfParameter(parameter) ?? {};
    const { description, example } = parameter;
    const media = asRecord(Object.values(asRecord(parameter["content"]))[0]);
    const named = [...entriesOf(document, parameter["examples"]), ...entriesOf(document, media["examples"])];
    const given = [
        ...named.map(([, each]) => ({ value: valueOf(each), summary: textsOf(each).join(": ") })),
        ...[example, media["example"], ...examplesOfSchema(mergedSchema(document, schema).schema)].map((value) => ({
            value,
            summary: "",
        })),
    ].filter(({ value }) => value !== undefined);
    const examples = given.filter(
        ({ value }, at) => at === given.findIndex((each) => jsonOf(each.value) === jsonOf(value)),
    );
    const own = {
        ...(typeof description === "string" && { description }),
        ...(examples.length > 0 && { example: undefined, examples: examples.map(({ value }) => value) }),
    };
    const described = Object.keys(own).length === 0 ? schema : { allOf: [schema, own] };
    const deprecated = parameter["deprecated"] === true ? ["deprecated"] : [];
    const labels = [...notes, ...deprecated, ...styleOf(parameter)];
    const summaries = examples.map(({ summary }) => summary);
    return view.field(name, described, parameter["required"] === true, labels, [], summaries);
}

function textsOf({ summary, description }: Json): string[] {
    return [summary, description].flatMap((each) => textOf(each) ?? []);
}

/** How a parameter is serialised, if the document says so. */
function styleOf(parameter: Json): string[] {
    const { style, explode } = parameter;
    return [
        ...(typeof style === "string" ? [`style: ${style}`] : []),
        ...(typeof explode === "boolean" ? [`explode: ${explode}`] : []),
        ...(parameter["allowEmptyValue"] === true ? ["may be empty"] : []),
        ...(parameter["allowReserved"] === true ? ["reserved characters allowed"] : []),
    ];
}
