/**
 * Replaces secrets in the name of a URN, and in the identifier that a reference to a provider has after it. Stack,
 * project and types of a URN are those of the program. In any other text, replaces secrets everywhere.
 */
export function redactUrn(text: string, replace: (name: string) => string): string {
    const [, program = "", names = ""] = /^(urn:pulumi:[^:]+::[^:]+::(?:(?!::).)+::)(.*)$/s.exec(text) ?? [];
    return program === "" ? replace(text) : program + replace(names);
}
