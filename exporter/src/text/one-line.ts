const maxTextLength = 2000;

/** Untrusted text as one line of limited length: without line breaks, escape sequences and invisible characters. */
export function toOneLine(text: string, longest = maxTextLength): string {
    const line = text
        .slice(0, longest + 1)
        .replace(/\s+/g, " ")
        .replace(/\p{C}/gu, "?");
    return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}
