/** The sentences of a file that people read, one string a line; an empty one where a line has none. */
export function proseOf(file: string, text: string): string[] {
    const lines = text.split("\n");
    if (/\.mdx?$/.test(file)) {
        return ofMarkdown(lines);
    }
    if (/\.(?:ts|mts|mjs|js|go)$/.test(file)) {
        return ofScript(lines, /\.spec\.ts$/.test(file));
    }
    return /\.(?:sh|ya?ml|tpl)$|Dockerfile$/.test(file) ? lines.map(ofHashComment) : [];
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

function ofScript(lines: readonly string[], isSpec: boolean): string[] {
    let isInComment = false;
    return lines.map((line) => {
        const text = line.trim();
        if (isInComment || text.startsWith("/*")) {
            isInComment = !text.includes("*/");
            return withoutCode(text.replace(/\*\/.*/, "").replace(/^\/?\*+/, "")).trim();
        }
        const [, comment] = /(?:^|\s)\/\/ (.*)/.exec(line) ?? [];
        const [, title] = (isSpec && /^(?:describe|it)(?:\.\w+)?\(\s*(["`].*)/.exec(text)) || [];
        return withoutCode(comment ?? title?.replaceAll(/^["`]|["`],.*/g, "") ?? "").trim();
    });
}

function ofHashComment(line: string): string {
    return withoutCode(/^\s*#+ (.*)/.exec(line)?.[1] ?? "").trim();
}
