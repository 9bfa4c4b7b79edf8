/** What an MDX attribute can hold without any JavaScript being run. */
export type MdxValue = string | number | boolean | null | Readonly<Record<string, string | number>>;

const stringLiteral = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)$/s;
const numberLiteral = /^-?\d+(?:\.\d+)?$/;
const objectEntry =
    /\s*(?:([\w$]+)|"([^"\\]*)"|'([^'\\]*)')\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?)\s*(?:,|$)/y;

/** A literal's value, or undefined for every expression that would have to be run. */
export function parseLiteral(expression: string): MdxValue | undefined {
    const code = expression.trim();
    if (stringLiteral.test(code)) return unescapeString(code.slice(1, -1));
    if (numberLiteral.test(code)) return Number(code);
    if (code === "true") return true;
    if (code === "false") return false;
    if (code === "null" || code === "undefined") return null;
    return parseObject(code);
}

/** True for `{/* … *\/}` and for `{}`: nothing that would show. */
export function isCommentOnly(expression: string): boolean {
    return expression.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "").trim() === "";
}

function parseObject(code: string): Readonly<Record<string, string | number>> | undefined {
    const inner = /^\{([\s\S]*)\}$/.exec(code)?.[1]?.trim();
    if (inner === undefined) return undefined;
    const values: Record<string, string | number> = {};
    objectEntry.lastIndex = 0;
    while (objectEntry.lastIndex < inner.length) {
        const [whole, bare, double, single, value] = objectEntry.exec(inner) ?? [];
        if (whole === undefined || value === undefined) return undefined;
        values[bare ?? double ?? single ?? ""] = numberLiteral.test(value)
            ? Number(value)
            : unescapeString(value.slice(1, -1));
    }
    return values;
}

function unescapeString(text: string): string {
    return text.replace(/\\(u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[\s\S])/gi, (_, escape: string) => {
        if (escape.length > 1) return String.fromCodePoint(parseInt(escape.replace(/[^\da-f]/gi, ""), 16));
        return { n: "\n", t: "\t", r: "\r", "\n": "" }[escape] ?? escape;
    });
}
