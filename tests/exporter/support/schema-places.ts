type Json = Readonly<Record<string, unknown>>;

/** Puts a schema into a place of a body, by the name of the place. */
export const schemaPlaces: Readonly<Record<string, (schema: Json) => Json>> = {
    "a body": (schema) => schema,
    "a field": (schema) => ({ type: "object", properties: { field: schema } }),
    "the items of a body": (items) => ({ type: "array", items }),
    "the items of a field": (items) => ({ properties: { field: { type: "array", items } } }),
    "the items of items": (items) => ({ properties: { field: { type: "array", items: { type: "array", items } } } }),
    "the values of a map": (schema) => ({ properties: { field: { type: "object", additionalProperties: schema } } }),
    "the only part of a field": (schema) => ({ properties: { field: { allOf: [schema] } } }),
    "the only part of a field that may be null": (schema) => ({
        properties: { field: { nullable: true, allOf: [schema] } },
    }),
    "the first part of a field": (schema) => ({ properties: { field: { allOf: [schema, { writeOnly: true }] } } }),
    "the second part of a field": (schema) => ({ properties: { field: { allOf: [{ writeOnly: true }, schema] } } }),
    "a part of a body": (schema) => ({ allOf: [{ properties: { other: {} } }, { properties: { field: schema } }] }),
    "the refinement of a field": (schema) => ({
        properties: { field: { readOnly: true } },
        allOf: [{ properties: { field: schema } }],
    }),
    "a variant of a body": (schema) => ({ oneOf: [schema, { type: "boolean" }] }),
    "a variant of a field": (schema) => ({ properties: { field: { anyOf: [schema, { type: "boolean" }] } } }),
    "the items of a field that may be null": (items) => ({ properties: { field: { type: ["array", "null"], items } } }),
};
