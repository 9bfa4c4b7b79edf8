const maxTextLength = 2000;

/** Untrusted text as one line of limited length: without line breaks, escape sequences and invisible characters. */
export function toOneLine(text: string, maxLength = maxTextLength): string {
    const line = text
        .slice(0, maxLength + 1)
        .replace(/\s+/g, " ")
        .replace(/\p{C}/gu, "?");
    return line.length <= maxLength ? line : `${line.slice(0, maxLength)}…`;
}
