type Node = Record<string, unknown>;

/**
 * Kinds of objects in a document: a schema, a map or list of schemas, another map with names as keys, a reference in an
 * example, or anything.
 */
type Kind = "schema" | "schemas" | "names" | "data" | "message" | "any";

/** Keywords with example data: a `$ref` there is a field of the API's data, not a reference. */
const data = new Set(["example", "value", "default", "const", "enum"]);

/** Keywords by their values. A property may be called `example`, and a response `default`: these are names. */
const kinds = new Map<string, Kind>([
    ...listed(
        "schema",
        "schema itemSchema payload items additionalItems unevaluatedItems contains contentSchema propertyNames",
    ),
    ...listed("schema", "additionalProperties unevaluatedProperties not if then else"),
    ...listed("schemas", "properties patternProperties definitions $defs dependentSchemas dependencies schemas"),
    ...listed("message", "message"),
    ...listed("schemas", "allOf oneOf anyOf prefixItems"),
    ...listed("names", "responses parameters headers requestBodies securitySchemes links callbacks pathItems paths"),
    ...listed("names", "webhooks content encoding variables channels messages operations servers examples mapping"),
]);

/** The keywords of schemas that pages show or follow, or that say nothing to readers. */
const known = new Set(
    [
        ...kinds.keys(),
        ...data,
        "type format title description nullable readOnly writeOnly deprecated required examples $ref externalDocs xml",
        "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems",
        "uniqueItems minContains maxContains minProperties maxProperties dependentRequired discriminator",
        "contentEncoding contentMediaType $anchor $dynamicAnchor $dynamicRef $id $schema $comment $vocabulary",
        "in name collectionFormat allowEmptyValue",
    ].flatMap((words) => words.split(" ")),
);

/** The place of an object or list in the object or list around it. */
export interface NodePlace {
    readonly holder: Node;
    readonly key: string;
    readonly value: Node;
    readonly kind: Kind;
}

/**
 * All objects and lists of a document, except those in its examples.
 * @param onUnknown called with each keyword of a schema that has no effect on pages
 */
export function* nodesOf(content: Node, onUnknown?: (keyword: string) => void): Generator<Node> {
    const found = new Set([content]);
    yield content;
    for (const { value } of placesIn(content, onUnknown)) {
        if (!found.has(value)) {
            found.add(value);
            yield value;
        }
    }
}

/**
 * The places of all objects and lists of a document, outer ones first. In examples, these are only references, because
 * any other object there is data of the API. The caller may replace what is in a place.
 */
export function* placesIn(content: Node, onUnknown: (keyword: string) => void = ignore): Generator<NodePlace> {
    const nodes = new Map<Node, Kind>([[content, "any"]]);
    for (const [holder, around] of nodes) {
        const isSchema = around === "schema" && holder["schemaFormat"] === undefined;
        const isName = around === "names" || around === "schemas";
        for (const [key, value] of Object.entries(holder)) {
            if (isSchema && !known.has(key) && !key.startsWith("x-")) {
                onUnknown(key);
            }
            const isList = Array.isArray(value);
            const isExample = !isName && (data.has(key) || (key === "examples" && isList));
            // A list of values may be in its own file.
            const isData = isExample && (key !== "enum" || isList);
            if (!isNode(value) || (isData && !isOnlyReference(value))) {
                continue;
            }
            // In AsyncAPI 2, a message may be one of several messages, which are not schemas.
            const isMessages = around === "message" && key === "oneOf";
            const ofKey = isMessages ? "any" : kindOf(key, value, holder);
            const kind = isData ? "data" : isName ? kindWithin(around, isList) : ofKey;
            yield { holder, key, value, kind };
            const current = holder[key];
            if (isNode(current) && !isData && !nodes.has(current)) {
                nodes.set(current, kind);
            }
        }
    }
}

const ignore = () => undefined;

/** Whether a value is an object or a list. */
export function isNode(value: unknown): value is Node {
    return typeof value === "object" && value !== null;
}

function isOnlyReference(value: Node): boolean {
    return typeof value["$ref"] === "string" && Object.keys(value).length === 1;
}

function listed(kind: Kind, keywords: string): [string, Kind][] {
    return keywords.split(" ").map((keyword) => [keyword, kind]);
}

function kindWithin(kind: Kind, isList: boolean): Kind {
    return kind === "schemas" && !isList ? "schema" : "any";
}

function kindOf(keyword: string, value: Node, around: Node): Kind {
    const kind = kinds.get(keyword) ?? "any";
    if (Array.isArray(value)) {
        return kind === "schema" || kind === "schemas" ? "schemas" : "any";
    }
    // The headers of AsyncAPI are a schema. Schemas in other formats, such as Avro, have other keywords.
    return around["schemaFormat"] !== undefined
        ? "any"
        : keyword === "headers" && typeof value["type"] === "string"
          ? "schema"
          : kind;
}
