export interface JsxTag {
    readonly name: string;
    readonly isClosing: boolean;
    readonly isEmpty: boolean;
    readonly attributes: readonly JsxAttribute[];
    /** The position after the tag. */
    readonly end: number;
}

export interface JsxAttribute {
    readonly name: string;
    /** Undefined if the value is code. */
    readonly text: string | undefined;
    readonly at: number;
}

/** Reads the HTML or JSX tag at a position; undefined if there is none. */
export function readTag(source: string, start: number): JsxTag | undefined {
    tagStart.lastIndex = start;
    const [whole, slash, name = ""] = tagStart.exec(source) ?? [];
    if (whole === undefined) {
        return undefined;
    }
    const attributes: JsxAttribute[] = [];
    let at = start + whole.length;
    for (;;) {
        space.lastIndex = at;
        at += space.exec(source)?.[0].length ?? 0;
        tagEnd.lastIndex = at;
        const [end] = tagEnd.exec(source) ?? [];
        if (end !== undefined) {
            const isEmpty = end.startsWith("/");
            return { name, isClosing: slash !== undefined, isEmpty, attributes, end: at + end.length };
        }
        if (source[at] === "{") {
            const after = skipBraces(source, at);
            if (after === undefined) {
                return undefined;
            }
            at = after;
            continue;
        }
        attributeName.lastIndex = at;
        const [attribute, named = "", equals] = attributeName.exec(source) ?? [];
        if (attribute === undefined) {
            return undefined;
        }
        const valueAt = at + attribute.length;
        const value = equals === undefined ? { text: undefined, end: valueAt } : readValue(source, valueAt);
        if (value === undefined) {
            return undefined;
        }
        attributes.push({ name: named, text: value.text, at });
        at = value.end;
    }
}

function readValue(source: string, at: number): { text: string | undefined; end: number } | undefined {
    if (source[at] === "{") {
        const end = skipBraces(source, at);
        const literal = /^\{\s*(["'`])((?:(?!\1)[^\\$])*)\1\s*\}$/s.exec(source.slice(at, end));
        return end === undefined ? undefined : { text: literal?.[2], end };
    }
    attributeValue.lastIndex = at;
    const [whole, double, single, bare] = attributeValue.exec(source) ?? [];
    return whole === undefined ? undefined : { text: double ?? single ?? bare, end: at + whole.length };
}

/**
 * Returns the position after the bracket that closes the bracket at a given position; ignores brackets in strings and
 * comments.
 */
export function skipBraces(source: string, start: number): number | undefined {
    let depth = 0;
    for (let at = start; at < source.length && at < start + maxCode; at += 1) {
        const sign = source[at];
        if (sign === "{") {
            depth += 1;
        } else if (sign === "}") {
            depth -= 1;
            if (depth === 0) {
                return at + 1;
            }
        } else if (sign === '"' || sign === "'" || sign === "`" || sign === "/") {
            codeLiteral.lastIndex = at;
            at += Math.max(0, (codeLiteral.exec(source)?.[0].length ?? 1) - 1);
        }
    }
    return undefined;
}

const maxCode = 1_000_000;
const tagStart = /<(\s*\/\s*)?([A-Za-z][\w.:-]*|(?=>))/y;
const space = /\s*/y;
const tagEnd = /\/?>/y;
const attributeName = /([^\s"'<>/=`{}]+)(\s*=\s*)?/y;
const attributeValue = /"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)/y;
const codeLiteral = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\*[^]*?\*\//y;
