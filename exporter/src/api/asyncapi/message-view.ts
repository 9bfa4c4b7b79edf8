import { endOf, type Json, resolveReference } from "../documents/references.js";
import { firstOf } from "../parts/api-context.js";
import { exampleOf, ifFits, maxExamples } from "../parts/sample.js";
import { nameLine, sentence } from "../parts/schema-notes.js";
import { type SchemaView } from "../parts/schema-fields.js";
import { jsonOf } from "../../text/json-text.js";
import { asRecord, recordsOf, textOf } from "../../text/json-values.js";
import { type AsyncMessage } from "./channel-operations.js";
import { furtherParts } from "./further-parts.js";

/** Schema formats that are JSON Schema or an extension of it; all others are shown as written. */
const jsonSchema = /^application\/(?:vnd\.aai\.asyncapi|schema|vnd\.oai\.openapi)\b/;

/** A message with the fields of its headers and its payload. */
export function messageHtml({ node }: AsyncMessage, view: SchemaView): string {
    const { document } = view;
    const type = textOf(node["contentType"]) ?? textOf(document.root["defaultContentType"]);
    const correlation = resolveReference(document, node["correlationId"]) ?? {};
    const facts = [correlation["location"], correlation["description"]].flatMap((text) => textOf(text) ?? []);
    return [
        view.wordsOf(node),
        sentence("Name:", textOf(node["name"]) ? [String(node["name"])] : []),
        sentence("Correlation ID:", facts),
        schemaHtml("Headers", node["headers"], node, view, undefined),
        schemaHtml("Payload", node["payload"], node, view, type),
        furtherParts(node, view),
    ].join("");
}

function schemaHtml(label: string, given: unknown, message: Json, view: SchemaView, type: string | undefined): string {
    if (given === undefined) {
        return "";
    }
    const { schema, format } = schemaOf(given, message, view);
    const content = format === undefined ? view.described(schema) : codeOf(schema, view);
    return nameLine(label, [type, format]) + content;
}

function codeOf(value: unknown, { context }: SchemaView, title?: string): string {
    return typeof value === "string"
        ? context.code(value, "text", title)
        : context.code(jsonOf(value, 2), "json", title);
}

/**
 * A schema, with its format if the format is not JSON Schema. The format is next to the schema in version 3, and next
 * to the payload in version 2.
 */
function schemaOf(
    given: unknown,
    message: Json,
    { document }: SchemaView,
): { schema: unknown; format: string | undefined } {
    const target = resolveReference(document, given);
    const isWrapped = target?.["schema"] !== undefined && target["type"] === undefined;
    const named = textOf(isWrapped ? target["schemaFormat"] : message["schemaFormat"]);
    const schema = isWrapped ? target["schema"] : given;
    // Schemas of other formats are shown as they are, without a type's name in their place.
    return named === undefined || jsonSchema.test(named)
        ? { schema, format: undefined }
        : { schema: endOf(document.root, String(asRecord(schema)["$ref"])) ?? schema, format: named };
}

/** The examples of a message as code blocks: its own examples, or an example that is generated from its schema. */
export function examplesOf({ title, node }: AsyncMessage, view: SchemaView): string[] {
    const { warn } = view.context;
    const own = firstOf(recordsOf(node["examples"]), maxExamples, "examples", warn);
    const block = (value: unknown, label: string) => codeOf(value, view, label);
    if (own.length > 0) {
        return own.flatMap(({ name, summary, headers, payload }) => {
            const texts = [name, summary].flatMap((each) => textOf(each) ?? []);
            const label = texts.length === 0 ? undefined : texts.join(": ");
            const value = ifFits(headers === undefined ? (payload ?? null) : { headers, payload }, { warn });
            const isNamed = label !== undefined && label !== title;
            return value === undefined ? [] : [block(value, isNamed ? `${title}: ${label}` : title)];
        });
    }
    const { schema, format } = schemaOf(node["payload"] ?? {}, node, view);
    const isKnown = format === undefined && Object.keys(asRecord(schema)).length > 0;
    const sample = isKnown ? exampleOf(view.document, { schema }, { warn }) : undefined;
    return sample === undefined || sample === null ? [] : [block(sample, title)];
}
