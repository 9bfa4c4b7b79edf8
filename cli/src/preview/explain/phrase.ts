/** A sentence or a part of one. The parts in `code` come from a program or a server, and are shown as code. */
export type Phrase = readonly (string | { readonly code: string })[];

/** Shows every value in the template as code; only the literal parts are our own text. */
export function say(literals: TemplateStringsArray, ...values: readonly (string | number | Phrase)[]): Phrase {
    return literals.flatMap((literal, index) => {
        const value = values[index];
        const parts: Phrase = value === undefined ? [] : partsOf(value);
        return [literal, ...parts].filter((part) => part !== "");
    });
}

function partsOf(value: string | number | Phrase): Phrase {
    if (typeof value === "number") {
        return [String(value)];
    }
    return typeof value === "string" ? [{ code: value }] : value;
}

/** Joins phrases into a list within a sentence. */
export function join(phrases: readonly Phrase[], separator: string): Phrase {
    return phrases.flatMap((phrase, index) => (index === 0 ? phrase : [separator, ...phrase]));
}
