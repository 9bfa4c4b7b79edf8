import { addressOf } from "./address-of.js";
import { pagesLimits } from "./host-limits.js";

const rule = /^"(~\^)?(\/[^"]*?)(\$)?" "(\/[^"]*|https?:\/\/[^"]*)";$/;
/** Matches any text in one part of a pattern's path, as exporters write it. */
const group = /^\(\?<(p\d+)>(\.\*|\[\^\]\+)\)$/;

/**
 * Creates the files `_redirects` and `_headers` of a site, which Cloudflare Pages and Netlify read. Patterns that these
 * hosts do not support are excluded.
 *
 * @param map - the map of redirects that exporters write for nginx
 * @param immutablePaths - the paths of files that never change
 */
export function hostFiles(map: string, immutablePaths: readonly string[], cacheControl: string): Map<string, Buffer> {
    const found = map.split("\n").flatMap((line) => readRule(line) ?? []);
    // Plain addresses come first, as for nginx.
    const rules = [...found.filter(({ isPattern }) => !isPattern), ...found.filter(({ isPattern }) => isPattern)];
    const headers = immutablePaths
        .slice(0, pagesLimits.headerRules)
        .map((path) => `${addressOf(path)}\n  Cache-Control: ${cacheControl}\n`);
    const texts = {
        _redirects: rules.map(({ from, to }) => `${from} ${to} 301\n`).join(""),
        _headers: headers.join(""),
    };
    const files = Object.entries(texts).filter(([, text]) => text !== "");
    return new Map(files.map(([path, text]) => [path, Buffer.from(text)]));
}

function readRule(line: string): { from: string; to: string; isPattern: boolean } | undefined {
    const [, isExpression, source = "", , destination = ""] = rule.exec(line) ?? [];
    const names = new Map<string, string>();
    // The slash inside the expression for "any part" is not a separator.
    const parts = source.replaceAll("[^/]+", "[^]+").split("/");
    const from = parts.map((part, index) => {
        const [, name, value] = (isExpression && group.exec(part)) || [];
        if (name === undefined) {
            // These hosts have no names within a part.
            const isWithin = isExpression && part.includes("(?<");
            return isWithin ? undefined : isExpression ? part.replaceAll("\\", "") : part;
        }
        const isRest = value === ".*";
        names.set(name, isRest ? ":splat" : `:${name}`);
        return !isRest ? `:${name}` : index === parts.length - 1 ? "*" : undefined;
    });
    const to = destination.replace(/\$\{(\w+)\}/g, (whole, name: string) => names.get(name) ?? whole);
    const isUsable = source !== "" && !from.includes(undefined) && !/[\s${}]/.test(from.join("") + to);
    return isUsable ? { from: from.join("/"), to, isPattern: names.size > 0 } : undefined;
}
