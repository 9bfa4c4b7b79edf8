import { bodyOf } from "../read/front-matter/front-matter.js";
import { PageText } from "../read/markdown/page-text/page-text.js";
import { isReadAsMdx } from "../read/markdown/parse-page.js";
import { markdownToHast } from "../text/markdown-parser.js";
import { copyString } from "../text/strings.js";
import { textOf } from "../text/syntax-tree.js";

/**
 * The text of a page's first first-level heading, or of its only second-level heading if this heading begins the page.
 * Planning runs no code, so expressions are left out unless they are strings.
 */
export function headingOf(source: string, isMdx: boolean): string | undefined {
    const body = bodyOf(source);
    const line = (/^\s*(# [^\n]+)/.exec(body)?.[1] ?? headingWithin(new PageText(source, isMdx)))?.replace(
        /(?<!\s)\s*\{#[^{}]*\}\s*$/,
        "",
    );
    if (line === undefined) {
        return undefined;
    }
    const isPlain = /^#+ [A-Za-z\d ,-]+$/.test(line);
    const shown =
        line.includes("{") && isReadAsMdx(source, isMdx) ? withoutExpressions(new PageText(line, true)) : line;
    const text = (isPlain ? line.replace(/^#+ /, "") : textOf(markdownToHast(shown, { position: false }))).trim();
    return text === "" ? undefined : copyString(text);
}

function withoutExpressions(line: PageText): string {
    return line.replace(expression, ([, , text = ""]) => text, line.only("code")).text;
}

/** Matches an expression of MDX; the second group is the text of a string. */
const expression = /(?<!\\)\{(?:\s*(["'])([^"'{}\\]*)\1\s*|[^{}]*)\}/g;

/** The heading's line, in the notation with `#`. */
function headingWithin(page: PageText): string | undefined {
    const lines = Array.from(page.lines(), ({ text, isCode }) => (isCode ? "" : text)).filter(
        (line) => !/^\s*$|^import\s/.test(line),
    );
    for (const [at, line] of lines.entries()) {
        if (/^# /.test(line)) {
            return line;
        }
        if (/^=+\s*$/.test(line) && at > 0) {
            return `# ${lines[at - 1]}`;
        }
    }
    const [first = "", ...others] = lines;
    return /^## /.test(first) && !others.some((line) => section.test(line)) ? first : undefined;
}

/** Also finds a heading that is written as an element. */
const section = /^## |^\s*<(?:h[12]|Heading)\b/;
