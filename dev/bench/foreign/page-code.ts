export interface FoundImport {
    /** The names that the page gives to its imports. */
    readonly names: readonly string[];
    readonly from: string;
}

const importStatement = /import\s+([^"';]+?)\s+from\s+["']([^"'\n]+)["']/g;
const localName = /(?:\bas\s+)?([A-Za-z_$][\w$]*)(?=\s*(?:,|\}|$))/g;

/** Returns the imports in a page's code. */
export function importsIn(code: string): FoundImport[] {
    return [...code.matchAll(importStatement)].map(({ 1: clause = "", 2: from = "" }) => ({
        names: [...clause.matchAll(localName)].map(([, name = ""]) => name),
        from,
    }));
}

/**
 * Returns the end of the MDX imports and exports that begin at a given position: the first empty line outside brackets.
 */
export function endOfCode(source: string, start: number): number {
    let end = start;
    let depth = 0;
    do {
        const next = source.indexOf("\n", end);
        const line = source.slice(end, next === -1 ? source.length : next);
        for (const sign of line.replace(/(["'])(?:(?!\1).)*\1/g, "")) {
            depth += "({[".includes(sign) ? 1 : ")}]".includes(sign) ? -1 : 0;
        }
        end += line.length + 1;
    } while (end < source.length && (depth > 0 || !/^[ \t]*\r?\n/.test(source.slice(end, end + 80))));
    return Math.min(end, source.length);
}
