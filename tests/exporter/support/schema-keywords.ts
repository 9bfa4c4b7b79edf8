type Json = Readonly<Record<string, unknown>>;

/** Keywords of a schema of each type, with the text that readers see of them. */
export const schemaKeywords: Readonly<Record<string, readonly (readonly [schema: Json, shown: string])[]>> = {
    string: [
        [{ title: "Title of it" }, "Title of it"],
        [{ description: "Text of it" }, "Text of it"],
        [{ default: "default-of-it" }, "default-of-it"],
        [{ example: "example-of-it" }, "example-of-it"],
        [{ examples: ["one-of-several"] }, "one-of-several"],
        [{ enum: ["first-value", "second-value"] }, "second-value"],
        [{ const: "constant-value" }, "constant-value"],
        [{ format: "format-of-it" }, "format-of-it"],
        [{ pattern: "^pattern-of-it" }, "^pattern-of-it"],
        [{ minLength: 1234 }, "minimum length: 1234"],
        [{ maxLength: 4321 }, "maximum length: 4321"],
        [{ contentEncoding: "base64url" }, "encoding: base64url"],
        [{ contentMediaType: "text/troff" }, "content: text/troff"],
        [{ externalDocs: { url: "https://example.com/", description: "Documents of it" } }, "Documents of it"],
    ],
    number: [
        [{ minimum: 1234 }, "minimum: 1234"],
        [{ maximum: 4321 }, "maximum: 4321"],
        [{ exclusiveMinimum: 1234 }, "more than: 1234"],
        [{ exclusiveMaximum: 4321 }, "less than: 4321"],
        [{ multipleOf: 1234 }, "multiple of: 1234"],
    ],
    array: [
        [{ minItems: 12 }, "minimum items: 12"],
        [{ maxItems: 4321 }, "maximum items: 4321"],
        [{ uniqueItems: true }, "unique items"],
        [{ contains: { description: "Text of contained" } }, "Text of contained"],
        [{ prefixItems: [{ description: "Text of the first" }] }, "Text of the first"],
    ],
    object: [
        [{ minProperties: 12 }, "minimum fields: 12"],
        [{ maxProperties: 4321 }, "maximum fields: 4321"],
        [{ properties: { inner: { type: "string" } } }, "inner"],
        [{ properties: { inner: { type: "string" } }, required: ["inner"] }, "required"],
        [{ patternProperties: { "^x-of-it": { type: "string" } } }, "^x-of-it"],
        [{ additionalProperties: { description: "Text of others" } }, "Text of others"],
        [{ dependentRequired: { one: ["other-of-it"] } }, "other-of-it"],
        [{ discriminator: { propertyName: "kind-of-it" } }, "kind-of-it"],
        [{ oneOf: [{ title: "Variant of it", properties: { inner: {} } }] }, "Variant of it"],
        [{ not: { description: "Text of not" } }, "Text of not"],
    ],
};
