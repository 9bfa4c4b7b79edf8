// The bounds of an export's request, which the provider checks in a preview, and the service in each request.

export const maxVersionCharacters = 200;
export const maxPaths = 1000;
export const maxPathCharacters = 2048;
/** The maximum of an agent job's prompt and messages. */
export const maxPromptCharacters = 100_000;

const oneLine = (maxCharacters: number) => `^[^\\u0000-\\u001f\\u007f]{1,${maxCharacters}}$`;

export const versionPattern = oneLine(maxVersionCharacters);
export const pagePathPattern = oneLine(maxPathCharacters);

// eslint-disable-next-line no-control-regex -- control characters are refused
const controlCharacter = /[\u0000-\u001f\u007f]/;

/** Returns what a text is not: one line, or short enough. Undefined if it is both. */
export function findLineFault(text: string, maxCharacters: number): string | undefined {
    if (controlCharacter.test(text)) {
        return "one line of printable characters";
    }
    return [...text].length > maxCharacters ? `at most ${maxCharacters} characters long` : undefined;
}
