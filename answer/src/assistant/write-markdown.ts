import { joinLines } from "@pulumi-static-export/contract";
import { type AnswerNode } from "./answer-blocks.js";

/** Writes blocks as Markdown that every renderer reads in the same way, for clients other than our panel. */
export function writeMarkdown(blocks: readonly AnswerNode[]): string {
    return blocks.map(blockOf).join("\n\n");
}

function blockOf({ type, value = "", depth = 1, start, children = [] }: AnswerNode): string {
    switch (type) {
        case "heading":
            return `${"#".repeat(depth)} ${inline(children).replace(/\n/g, " ")}`;
        case "code": {
            const fence = "`".repeat(Math.max(3, longestTicks(value) + 1));
            return `${fence}\n${value}\n${fence}`;
        }
        case "blockquote":
            return indented(writeMarkdown(children), "> ", "> ");
        case "list":
            return children
                .map((item, at) => {
                    const mark = start === undefined ? "- " : `${start + at}. `;
                    return indented(writeMarkdown(item.children ?? []), mark, " ".repeat(mark.length));
                })
                .join("\n");
        case "table": {
            const [head = "", ...rows] = children.map(rowOf);
            return [head, "|" + " - |".repeat(children[0]?.children?.length ?? 1), ...rows].join("\n");
        }
        case "thematicBreak":
            return "---";
        case "paragraph":
            // Characters at the beginning of a line could begin another block.
            return inline(children)
                .replace(/^[ \t]+/gm, "")
                .replace(/^(?=[#+=:-])/gm, "\\")
                .replace(/^(\d{1,9})(?=[.)])/gm, "$1\\");
        default:
            return inline([{ type, value, children }]);
    }
}

function indented(text: string, first: string, others: string): string {
    return text
        .split("\n")
        .map((line, at) => (at === 0 ? first : line === "" ? others.trimEnd() : others) + line)
        .join("\n");
}

function rowOf({ children = [] }: AnswerNode): string {
    const cells = children.map((cell) => inline(cell.children ?? []).replace(/\n/g, " "));
    return `|${cells.map((cell) => ` ${cell} |`).join("")}`;
}

function inline(nodes: readonly AnswerNode[]): string {
    return nodes.map(inlineOf).join("");
}

function inlineOf({ type, value = "", url = "", children = [] }: AnswerNode): string {
    switch (type) {
        case "text":
            return value
                .replace(/[\\`*_[\]~|]/g, "\\$&")
                .replaceAll("&", "&amp;")
                .replaceAll("<", "&lt;")
                .replace(/>/g, "&gt;")
                .replace(/!$/, "\\!")
                .replace(/\n{2,}/g, "\n");
        case "inlineCode": {
            const mark = "`".repeat(longestTicks(value) + 1);
            const space = /^[` ]|[` ]$/.test(value) ? " " : "";
            return mark + space + joinLines(value).replaceAll("|", "\\|") + space + mark;
        }
        case "link":
            return `[${inline(children)}](${/[\s()<>]/.test(url) ? `<${encodeURI(url)}>` : url})`;
        case "strong":
            return `**${inline(children)}**`;
        case "emphasis":
            return `*${inline(children)}*`;
        case "delete":
            return `~~${inline(children)}~~`;
        case "break":
            return "\\\n";
        default:
            return inline(children);
    }
}

function longestTicks(text: string): number {
    return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}
