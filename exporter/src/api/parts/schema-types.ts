import { isRecord, listOf } from "../../text/json-values.js";
import { type HasRoot, type Json, nameOfReference } from "../documents/references.js";
import { mergedSchema } from "./merged-schema.js";
import { maxOptions, typeOfKeywords } from "./schema-parts.js";

/** The limit for the named variants of a nested type. */
const maxInnerTypes = 6;

/** A schema's type in a few words, such as `string (date-time)` or `Pet[]`. */
export function typeOfSchema(document: HasRoot, given: unknown, depth = 0): string {
    return [...new Set(typesOf(document, given, depth))].join(" | ");
}

function typesOf(document: HasRoot, given: unknown, depth: number): string[] {
    const { schema, names, parts, isComposed } = mergedSchema(document, given);
    const name = nameOfReference(given) ?? (isComposed ? undefined : names[0]);
    if (parts.length === 0 || depth > 4) {
        return [name ?? (given === false ? "never" : "any")];
    }
    const types = [schema["type"]].flat().filter((type): type is string => typeof type === "string");
    const nullable = schema["nullable"] === true || types.includes("null") ? ["null"] : [];
    if (name !== undefined && types.every((type) => type === "object" || type === "null")) {
        return [name, ...nullable];
    }
    const options = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])];
    if (types.length === 0 && options.length > 0) {
        const shown = options.slice(0, depth === 0 ? maxOptions : maxInnerTypes);
        const ofOptions = shown.flatMap((option) => typesOf(document, option, depth + 1));
        return [...ofOptions, ...(shown.length < options.length ? ["…"] : []), ...nullable];
    }
    if (types.length === 0) {
        const values = schema["const"] === undefined ? listOf(schema["enum"]) : [schema["const"]];
        types.push(...(isRecord(schema["items"]) ? ["array"] : values.map(typeOfValue)));
    }
    const shown = (types.length === 0 ? [typeOfKeywords(schema)] : types).map((type) =>
        type === "array" ? typeOfList(document, schema, depth) : type,
    );
    const format = typeof schema["format"] === "string" ? ` (${schema["format"]})` : "";
    const all = [...new Set([...shown, ...nullable])];
    return all.map((type, at) => (at === all.length - 1 ? type + format : type));
}

function typeOfList(document: HasRoot, { items, prefixItems }: Json, depth: number): string {
    if (items === false) {
        return `[${listOf(prefixItems)
            .map((item) => typeOfSchema(document, item, depth + 1))
            .join(", ")}]`;
    }
    const type = typeOfSchema(document, items, depth + 1);
    return type.includes(" | ") ? `(${type})[]` : `${type}[]`;
}

/** The type of a value in a schema without a type. */
function typeOfValue(value: unknown): string {
    const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    return type === "bigint" || Number.isInteger(value) ? "integer" : type;
}
