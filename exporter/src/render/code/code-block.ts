import { type ComponentContext } from "../../components/component.js";
import { type FenceMeta, type LineRange, parseFence, parseFenceMeta } from "./fence-meta.js";
import { highlight } from "./highlight.js";
import { escapeHtml } from "../../text/html-text.js";
import { textOf, type HastElement } from "../../text/syntax-tree.js";

declare module "hast" {
    interface ElementData {
        /** The text after the language of a fence. */
        meta?: string | null | undefined;
    }
}

interface CodeOfPre {
    readonly text: string;
    readonly language: string | undefined;
    /** The text after the language of a fence. */
    readonly meta: string | undefined;
    readonly isFormula: boolean;
}

/** The code in a `<pre>` from a fence; undefined if the `<pre>` has other content, such as a link in the code. */
export function codeOf(pre: HastElement): CodeOfPre | undefined {
    const [code, ...others] = pre.children.filter((child) => child.type !== "text" || child.value.trim() !== "");
    if (code?.type !== "element" || code.tagName !== "code" || others.length > 0 || !isOnlyText(code)) {
        return undefined;
    }
    const classes = Array.isArray(code.properties["className"]) ? code.properties["className"].map(String) : [];
    const { data } = code;
    const name = classes.find((item) => item.startsWith("language-"));
    return {
        text: textOf(code),
        language: name?.slice("language-".length),
        meta: data?.meta ?? undefined,
        isFormula: classes.includes("math-display") || name?.toLowerCase() === "language-math",
    };
}

/** Other tools colour code with `<span>`, whose colours the exporter replaces. */
function isOnlyText(node: HastElement): boolean {
    return node.children.every((child) => child.type !== "element" || (child.tagName === "span" && isOnlyText(child)));
}

/** The first line of a code block. */
interface CodeFence {
    /** In lower case. */
    readonly language: string | undefined;
    readonly meta: FenceMeta;
}

export function readFence(word: string | undefined, metaOfFence: string | undefined): CodeFence {
    const { language, meta } = parseFence(word, metaOfFence);
    if (language !== undefined && /^nocopy$|^\w+=/i.test(language)) {
        // Options without a title, such as title="main.ts".
        return { language: undefined, meta: parseFenceMeta(`${language} ${meta ?? ""}`) };
    }
    return { language: language?.toLowerCase(), meta: parseFenceMeta(meta) };
}

/** A code block that is highlighted during the export, so that the page needs no script. */
export function writeCode(
    text: string,
    { language, meta: fence }: CodeFence,
    context: Pick<ComponentContext, "icon">,
): string {
    const { title } = fence;
    const icon = fence.icon === undefined ? "" : context.icon(fence.icon);
    const label = title ?? language;
    const shown = title ?? (icon === "" ? undefined : (language ?? ""));
    const head = shown === undefined ? "" : `<div class="code-title">${icon}${escapeHtml(shown)}</div>`;
    const languageClass = language === undefined ? "" : ` class="language-${escapeHtml(language)}"`;
    const data = label === undefined ? "" : ` data-title="${escapeHtml(label)}"`;
    const { code, marks } = readMarks(text);
    const isMarked = marks.size > 0 || fence.lines || fence.highlight.length > 0 || fence.focus.length > 0;
    const html = highlight(code, language);
    const body = `<code${languageClass}>${isMarked ? markLines(html, fence, marks) : html}</code>`;
    const flags = [
        fence.wrap ? " wrap" : "",
        fence.lines ? " numbered" : "",
        fence.focus.length > 0 || [...marks.values()].includes("focus") ? " focused" : "",
        fence.expandable ? " expandable" : "",
        fence.copy ? "" : " nocopy",
    ].join("");
    return `<div class="code${flags}"${data}>${head}<pre tabindex="0">${body}</pre></div>`;
}

/** The beginning and the end of a comment in any language. */
const [commentStart, commentEnd] = [
    /(?<![ \t])[ \t]*(?:\{?\/\*|\/\/|#|--|;|%|<!--|')[ \t]*/.source,
    /[ \t]*(?:\*\/\}?|-->)?/.source,
];
const codeMark = new RegExp(
    `${commentStart}\\[!code (\\+\\+|--|highlight|hl|focus|error|warning|word:[^\\]\\n]*?)(?::(\\d+))?\\]${commentEnd}`,
    "g",
);
/** The class of a marked line. */
const markClasses: Readonly<Record<string, string>> = {
    "++": "add",
    "--": "remove",
    highlight: "highlight",
    hl: "highlight",
    focus: "focus",
    error: "remove error",
    warning: "highlight",
};

interface MarkedCode {
    readonly code: string;
    /** The classes of marked lines, by line number. */
    readonly marks: ReadonlyMap<number, string>;
}

/** Reads and removes comments that mark lines, such as `[!code ++]`. */
function readMarks(text: string): MarkedCode {
    const marks = new Map<number, string>();
    if (!text.includes("[!code ")) {
        return { code: text, marks };
    }
    const lines = text.split("\n").map((line, index) =>
        line.replace(codeMark, (_, name: string, count = "1") => {
            const mark = markClasses[name];
            for (let at = 1; mark !== undefined && at <= Math.min(1000, Number(count)); at += 1) {
                marks.set(index + at, mark);
            }
            return "";
        }),
    );
    return { code: lines.join("\n"), marks };
}

/** Wraps each line in an element; elements that span several lines are closed and opened again. */
function markLines(
    html: string,
    { highlight: highlighted, focus }: FenceMeta,
    marks: ReadonlyMap<number, string>,
): string {
    const open: string[] = [];
    const lines = html.replace(/\n$/, "").split("\n");
    return lines
        .map((line, index) => {
            const before = open.join("");
            for (const [tag] of line.matchAll(/<\/?span[^>]*>?/g)) {
                if (tag.startsWith("</")) {
                    open.pop();
                } else {
                    open.push(tag);
                }
            }
            const number = index + 1;
            const classes = [
                "line",
                marks.get(number),
                isIn(highlighted, number) && "highlight",
                isIn(focus, number) && "focus",
            ];
            const name = [...new Set(classes.filter((part) => part !== undefined && part !== false))].join(" ");
            return `<span class="${name}">${before}${line}${"</span>".repeat(open.length)}\n</span>`;
        })
        .join("");
}

function isIn(ranges: readonly LineRange[], line: number): boolean {
    return ranges.some(([from, to]) => from <= line && line <= to);
}
