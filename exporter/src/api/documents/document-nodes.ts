type Node = Record<string, unknown>;

/** What an object of a document is: a schema, a map or list of schemas, another map with names as keys, or anything. */
type Kind = "schema" | "schemas" | "names" | "any";

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

/**
 * All objects and lists of a document, except those in its examples.
 * @param onUnknown called with each keyword of a schema that has no effect on pages
 */
export function* nodesOf(content: Node, onUnknown: (keyword: string) => void): Generator<Node> {
    const nodes = new Map<Node, Kind>([[content, "any"]]);
    for (const [node, kind] of nodes) {
        yield node;
        const isSchema = kind === "schema" && node["schemaFormat"] === undefined;
        const isName = kind === "names" || kind === "schemas";
        for (const [key, value] of Object.entries(node)) {
            if (isSchema && !known.has(key) && !key.startsWith("x-")) {
                onUnknown(key);
            }
            const isList = Array.isArray(value);
            const isData = !isName && (data.has(key) || (key === "examples" && isList));
            if (typeof value === "object" && value !== null && !isData && !nodes.has(value as Node)) {
                nodes.set(value as Node, isName ? kindWithin(kind, isList) : kindOf(key, value as Node, node));
            }
        }
    }
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
