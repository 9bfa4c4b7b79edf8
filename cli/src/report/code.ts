/**
 * A cleaned text as code on one line, which no renderer takes for markup, a mention, a reference or a link. A backtick
 * and a vertical bar show as characters that look like them, because renderers disagree about those two in tables.
 */
export function code(text: string): string {
    const plain = asCodeText(text);
    return plain === "" ? "(empty)" : `\`${plain.startsWith(" ") || plain.endsWith(" ") ? ` ${plain} ` : plain}\``;
}

/** A cleaned text of several lines as a code block. No line begins with a slash, which GitLab would take for a command. */
export function codeBlock(text: string): string {
    const lines = asCodeText(text)
        .split("\n")
        .map((line) => `  ${line}`.trimEnd());
    return ["```text", ...lines, "```"].join("\n");
}

function asCodeText(text: string): string {
    return text.replace(/`/g, "\u02cb").replace(/\|/g, "\u00a6");
}
