import { asRecord, isRecord, listOf } from "../../text/json-values.js";
import { type Json, nameOfReference } from "../documents/references.js";

/** The maximum number of variants of a schema on a page. */
export const maxOptions = 200;

/** The entries that are listed as fields of a schema. */
export function propertiesOf(schema: Json): (readonly [name: string, value: unknown, required: boolean])[] {
    const required = new Set(listOf(schema["required"]));
    const own = Object.entries(asRecord(schema["properties"]));
    const patterns = Object.entries(asRecord(schema["patternProperties"]));
    // JSON Schema draft 7, which AsyncAPI uses, allows a list of schemas in `items`.
    const ofLists = [...listOf(schema["prefixItems"]), ...listOf(schema["items"])];
    const others: (readonly [name: string, value: unknown])[] = [
        ...patterns.map(([pattern, value]) => [`/${pattern}/`, value] as const),
        ["{key}", schema["additionalProperties"]],
        ["{other key}", schema["unevaluatedProperties"]],
        ["{name of a key}", schema["propertyNames"]],
        ["{decoded content}", schema["contentSchema"]],
        ...ofLists.map((value, at) => [`[${at}]`, value] as const),
        ["[any item]", schema["contains"]],
        ["[other items]", schema["additionalItems"]],
        ["[other items]", schema["unevaluatedItems"]],
    ];
    return [
        ...own.map(([name, value]) => [name, value, required.has(name)] as const),
        ...others.filter(([, value]) => isRecord(value)).map(([name, value]) => [name, value, false] as const),
    ];
}

type Labelled = readonly [label: string, value: unknown];

/** Variants and conditions of a schema, with their labels. */
export function choicesOf(schema: Json): Labelled[] {
    return [...variantsOf(schema), ...conditionsOf(schema)];
}

/** Variants of a schema, whose types are next to the name of the field. */
export function variantsOf(schema: Json): Labelled[] {
    const options = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])];
    const named = options.map(
        (option, index) => [nameOfReference(option) ?? titleOf(option) ?? `Option ${index + 1}`, option] as const,
    );
    return named.filter(([, option]) => isRecord(option));
}

export function conditionsOf(schema: Json): Labelled[] {
    const dependent = Object.entries({ ...asRecord(schema["dependencies"]), ...asRecord(schema["dependentSchemas"]) });
    const conditions: Labelled[] = [
        ["Not", schema["not"]],
        ["If", schema["if"]],
        ["Then", schema["then"]],
        ["Else", schema["else"]],
        ...dependent.map(([name, value]) => [`With ${name}`, value] as const),
    ];
    return conditions.filter(([, option]) => isRecord(option));
}

const keywordsOfTypes = {
    object: /^(?:properties|patternProperties|additionalProperties|unevaluatedProperties|propertyNames|required|m(?:in|ax)Properties|dependen.*|discriminator)$/,
    array: /^(?:prefixItems|contains|m(?:in|ax)(?:Items|Contains)|uniqueItems|unevaluatedItems)$/,
    string: /^(?:m(?:in|ax)Length|pattern|format|content.*)$/,
    number: /^(?:m(?:in|ax)imum|exclusiveM(?:in|ax)imum|multipleOf)$/,
};

/** The type that the other keywords of a schema speak of. */
export function typeOfKeywords(schema: Json): string {
    const keys = Object.keys(schema);
    const found = Object.entries(keywordsOfTypes).find(([, keywords]) => keys.some((key) => keywords.test(key)));
    return found?.[0] ?? "any";
}

/** The labels in a field's `x-mint`. */
export function labelsOfMint(schema: Json, key: "pre" | "post"): string[] {
    const mint = schema["x-mint"];
    return isRecord(mint) ? listOf(mint[key]).filter((label) => typeof label === "string") : [];
}

function titleOf(value: unknown): string | undefined {
    const title = isRecord(value) ? value["title"] : undefined;
    return typeof title === "string" ? title : undefined;
}
