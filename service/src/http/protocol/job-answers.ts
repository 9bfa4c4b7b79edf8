/** Where an answer comes from: times may be dates, and optional fields null. */
type SourceOf<Answer> = {
    [Name in keyof Answer]-?:
        | Required<Answer>[Name]
        | (Required<Answer>[Name] extends string ? Date : never)
        | (Answer extends Record<Name, unknown> ? never : null);
};

/** @returns the fields of the answer's schema, without optional ones that are null */
export function answerFrom<Answer>(
    { properties, required = [] }: { properties: object; required?: readonly string[] },
    source: SourceOf<Answer>,
): Answer {
    const values = source as Readonly<Record<string, unknown>>;
    const shown = Object.keys(properties)
        .filter((name) => values[name] !== null || required.includes(name))
        .map((name) => [name, values[name] instanceof Date ? values[name].toISOString() : values[name]]);
    return Object.fromEntries(shown) as Answer;
}
