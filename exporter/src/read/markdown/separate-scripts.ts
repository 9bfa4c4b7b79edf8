import { type Statement } from "estree-jsx";
import { type HastNode } from "satteri";
import { parseModule } from "../../text/script-parser.js";
import { childrenOf } from "../../text/syntax-tree.js";
import { type Repair } from "./repair-mdx.js";

type Script = Extract<HastNode, { type: "mdxjsEsm" }>;

interface Separated {
    /** The page without the scripts, on the same lines. */
    readonly text: string;
    readonly scripts: readonly Script[];
    readonly repairs: readonly Repair[];
}

/** The beginning of JavaScript, unlike that of a sentence such as "import goods from abroad". */
const beginsCode =
    /^(?:import\s*(?:[{*"']|[\w$]+\s*(?:,|from\s*["']))|export\s*(?:[{*]|(?:default|const|let|var|function|class|async|type|interface|enum)\b))/;

/** The maximum number of lines after a script, which each cost a parse. */
const maxLines = 50;

/**
 * Separates text from the `import` or `export` directly above it: MDX reads everything up to the next empty line as
 * JavaScript. Returns undefined if there is no such text.
 * @param text the text that the positions of the tree refer to
 */
export function separateScripts(text: string, root: HastNode): Separated | undefined {
    const lines = text.split("\n");
    const scripts: Script[] = [];
    const repairs: Repair[] = [];
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
        const line = first + count;
        if (count === 0) {
            lines[first - 1] = ` ${lines[first - 1] ?? ""}`;
            repairs.push({ line, reason: "the line begins like JavaScript, and is read as text" });
            continue;
        }
        for (let at = first - 1; at < line - 1; at += 1) {
            lines[at] = (lines[at] ?? "").replace(/./g, " ");
        }
        scripts.push({ ...node, value: code.slice(0, count).join("\n") });
        repairs.push({ line, reason: "there must be an empty line between an import or export and the text below it" });
    }
    return repairs.length === 0 ? undefined : { text: lines.join("\n"), scripts, repairs };
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
