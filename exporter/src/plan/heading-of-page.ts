import { markdownToHast } from "satteri";
import { bodyOf } from "../read/front-matter/front-matter.js";
import { Fences } from "../read/markdown/fences.js";
import { textOf } from "../text/syntax-tree.js";
import { copyString } from "../text/copy-string.js";

/** The text of a page's first heading of the first level, or of its only one of the second if that begins the page. */
export function headingOf(source: string): string | undefined {
    const body = bodyOf(source);
    const line = (/^\s*(# [^\n]+)/.exec(body)?.[1] ?? headingWithin(body))?.replace(/(?<!\s)\s*\{#[^{}]*\}\s*$/, "");
    if (line === undefined) {
        return undefined;
    }
    const isPlain = /^#+ [A-Za-z\d ,-]+$/.test(line);
    const text = (isPlain ? line.replace(/^#+ /, "") : textOf(markdownToHast(line, { position: false }))).trim();
    return text === "" ? undefined : copyString(text);
}

/** The line of the heading, as it would stand with `#`. */
function headingWithin(body: string): string | undefined {
    const fences = new Fences();
    const lines = body.split("\n").filter((line) => !fences.holds(line) && !/^\s*$|^import\s/.test(line));
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

/** Also one that is written as an element. */
const section = /^## |^\s*<(?:h[12]|Heading)\b/;
