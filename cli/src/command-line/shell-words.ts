/** A word in quotes, as shells like bash read it. */
export function quoteWord(text: string): string {
    return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A word of a command to copy: in quotes where it needs them. */
export function shellWord(text: string): string {
    return /^[\w./:@=-]+$/.test(text) ? text : quoteWord(text);
}
