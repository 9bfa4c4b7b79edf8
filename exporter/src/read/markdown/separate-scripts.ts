import { type Statement } from "estree-jsx";
import { type HastNode } from "satteri";
import { parseModule } from "../../text/script-parser.js";
import { childrenOf } from "../../text/syntax-tree.js";
import { type PageText, type Report } from "./page-text/page-text.js";

type Script = Extract<HastNode, { type: "mdxjsEsm" }>;

interface Separated {
    /** The page without the scripts, on the same lines. */
    readonly page: PageText;
    readonly scripts: readonly Script[];
}

/** The beginning of JavaScript, unlike that of a sentence such as "import goods from abroad". */
const beginsCode =
    /^(?:import\s*(?:[{*"']|[\w$]+\s*(?:,|from\s*["']))|export\s*(?:[{*]|(?:default|const|let|var|function|class|async|type|interface|enum)\b))/;

/** The maximum number of lines after a script, which each cost a parse. */
const maxLines = 50;

/**
 * Separates text from the `import` or `export` directly above it: MDX reads everything up to the next empty line as
 * JavaScript. Returns undefined if there is no such text.
 * @param page to which the lines of the tree refer
 */
export function separateScripts(page: PageText, root: HastNode, report: Report): Separated | undefined {
    const scripts: Script[] = [];
    /** The lines that change, from 0. */
    const blank = new Set<number>();
    const indented = new Set<number>();
    for (const node of childrenOf(root)) {
        if (node.type !== "mdxjsEsm" || node.position === undefined) {
            continue;
        }
        const code = node.value.split("\n");
        const count = linesOfScript(code);
        const below = code[count];
        if (below === undefined || beginsCode.test(below)) {
            continue;
        }
        const first = node.position.start.line;
        if (count === 0) {
            indented.add(first - 1);
            report(first, "the line begins like JavaScript, and is read as text");
            continue;
        }
        for (let line = first; line < first + count; line += 1) {
            blank.add(line - 1);
        }
        scripts.push({ ...node, value: code.slice(0, count).join("\n") });
        report(first + count, "there must be an empty line between an import or export and the text below it");
    }
    const separated = page.withLines(({ text }, at) =>
        blank.has(at) ? text.replace(/./g, " ") : indented.has(at) ? ` ${text}` : undefined,
    );
    return blank.size + indented.size === 0 ? undefined : { page: separated, scripts };
}

/** The number of lines at the beginning that are JavaScript. */
function linesOfScript(lines: readonly string[]): number {
    // JavaScript could read a fence as template literals.
    const fence = lines.findIndex((line) => line.startsWith("```"));
    const most = fence === -1 ? lines.length : fence;
    for (let count = most; count > Math.max(0, most - maxLines); count -= 1) {
        if (isScript(lines.slice(0, count).join("\n"))) {
            return count;
        }
    }
    return 0;
}

function isScript(code: string): boolean {
    try {
        return parseModule(code).body.every((statement) => isCode(statement as Statement));
    } catch {
        return false;
    }
}

/** Whether a statement has an effect: a name, a label such as `Note:`, braces and tags are text of the page. */
function isCode(statement: Statement): boolean {
    switch (statement.type) {
        case "ExpressionStatement":
            return ["CallExpression", "AssignmentExpression", "UpdateExpression", "Literal"].includes(
                statement.expression.type,
            );
        case "BlockStatement":
            return statement.body.length === 0;
        case "LabeledStatement":
            return false;
        default:
            return true;
    }
}
