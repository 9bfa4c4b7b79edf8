/** A word in quotes, as shells like bash read it. */
export function quoteWord(text: string): string {
    return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * A word of a command that users copy, in quotes if necessary. PowerShell and cmd.exe both read double quotes, which
 * no file name of Windows contains.
 */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
    if (/^[\w./:@=-]+$/.test(text)) {
        return text;
    }
    return platform === "win32" ? `"${text}"` : quoteWord(text);
}
