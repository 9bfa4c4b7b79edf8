/** The line in which a text stands first; undefined if it stands nowhere. */
export function lineOfText(source: string, text: string): number | undefined {
    const at = source.indexOf(text);
    return at === -1 ? undefined : lineAt(source, at);
}

/** The line of an offset; the first is 1. */
export function lineAt(source: string, offset: number): number {
    return source.slice(0, offset).split("\n").length;
}
