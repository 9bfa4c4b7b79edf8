/**
 * Returns the sentences of a file that people read, one string per line; a line without sentences gives an empty
 * string.
 */
export function proseOf(file: string, text: string): string[] {
    const lines = text.split("\n");
    if (/\.mdx?$/.test(file)) {
        return ofMarkdown(lines);
    }
    if (/\.(?:ts|mts|mjs|js|go)$/.test(file)) {
        return ofScript(lines, /\.spec\.ts$/.test(file) ? titleIn : /^tests\//.test(file) ? () => "" : messagesIn);
    }
    if (file.endsWith(".tpl")) {
        return lines.map((line) => withoutCode(/\{\{-?\s*\/\*(.*)/.exec(line)?.[1] ?? messagesIn(line)).trim());
    }
    return /\.(?:sh|ya?ml)$|Dockerfile$/.test(file) ? lines.map(ofHashComment) : [];
}

const withoutCode = (text: string) => text.replaceAll(/`[^`]*`/g, "`…`").replaceAll(/\]\([^)]*\)/g, "]");

function ofMarkdown(lines: readonly string[]): string[] {
    let fence: string | undefined;
    return lines.map((line) => {
        const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
        if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
            fence = fence === undefined ? mark : undefined;
            return "";
        }
        return fence === undefined ? withoutCode(line).trim() : "";
    });
}

function ofScript(lines: readonly string[], textIn: (line: string) => string): string[] {
    let isInComment = false;
    return lines.map((line) => {
        const text = line.trim();
        if (isInComment || text.startsWith("/*")) {
            isInComment = !text.includes("*/");
            return withoutCode(text.replace(/\*\/.*/, "").replace(/^\/?\*+/, "")).trim();
        }
        const [, comment] = /(?:^|\s)\/\/ (.*)/.exec(line) ?? [];
        return withoutCode(comment ?? textIn(text)).trim();
    });
}

function titleIn(line: string): string {
    const [, title = ""] = /^(?:describe|it)(?:\.\w+)?\(\s*(["`].*)/.exec(line) ?? [];
    return title.replaceAll(/^["`]|["`],.*/g, "");
}

/** Returns the strings of a line that are long enough for a message: four words or more. */
function messagesIn(line: string): string {
    return [...line.matchAll(/(["'`])((?:\\.|(?!\1).)*)\1/g)]
        .map(([, , text = ""]) => text)
        .filter((text) => /[a-z]+(?: \S*[A-Za-z]\S*){3}/.test(text))
        .join(" ");
}

function ofHashComment(line: string): string {
    return withoutCode(/^\s*#+ (.*)/.exec(line)?.[1] ?? "").trim();
}
