/** A word in quotes, as shells like bash read it. */
export function quoteWord(text: string): string {
    return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A word of a command that users copy, in quotes if necessary. */
export function shellWord(text: string): string {
    return /^[\w./:@=-]+$/.test(text) ? text : quoteWord(text);
}
