import { cutPlace } from "@pulumi-static-export/contract";
import { markdownToMdast, type MdastNode } from "satteri";

/** A longer block ends here, which limits the time that parsing takes. */
const maxBlock = 8000;
const maxDepth = 12;
const removed = "(link removed)";

/** Addresses that renderers may turn into links. Each alternative begins at a fixed place, so the time is linear. */
const address =
    /(?:(?:https?|wss?|ftp|file):\/\/|(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/|(?<![\w:/])\/\/(?=[\w-]+\.)|\bwww\.|\b(?:javascript|data|mailto|tel):)[^\s<>"'`)\]]+/gi;

/** A part of an answer without anything that a reader's browser would load. Only `link` has an address. */
export interface AnswerNode {
    readonly type: string;
    readonly value?: string;
    /** The path of a page, or the support address. */
    readonly url?: string;
    /** The level of a heading. */
    readonly depth?: number;
    /** The first number of an ordered list. */
    readonly start?: number;
    readonly children?: readonly AnswerNode[];
}

/** @returns the target of a link in an answer, or undefined if the link is not allowed */
type ResolveLink = (target: string) => Promise<string | undefined>;

/** Parses streamed Markdown once, block by block, and resolves its links. */
export class AnswerBlocks {
    #held = "";

    /** @param resolve called for each link */
    constructor(private readonly resolve: ResolveLink) {}

    /** Returns the blocks that the text completes. */
    async push(text: string): Promise<AnswerNode[]> {
        const before = this.#held.length;
        this.#held += text.replaceAll("\r", "");
        const blocks: AnswerNode[] = [];
        while (this.#held.length > maxBlock) {
            const end = cutPlace(this.#held, maxBlock);
            blocks.push(...(await this.#nodesOf(blocksOf(this.#held.slice(0, end)), 0)));
            this.#held = this.#held.slice(end);
        }
        if (this.#held.includes("\n\n", Math.max(0, before - 1))) {
            // More text may belong to the last block.
            const complete = blocksOf(this.#held).slice(0, -1);
            this.#held = this.#held.slice(complete.at(-1)?.position?.end.offset ?? 0);
            blocks.push(...(await this.#nodesOf(complete, 0)));
        }
        return blocks;
    }

    /** Returns the remaining blocks, after the stream has ended. */
    async flush(): Promise<AnswerNode[]> {
        const rest = this.#held;
        this.#held = "";
        return this.#nodesOf(blocksOf(rest), 0);
    }

    async #nodesOf(nodes: readonly MdastNode[], depth: number): Promise<AnswerNode[]> {
        const all: AnswerNode[] = [];
        for (const node of depth > maxDepth ? [] : nodes) {
            all.push(...(await this.#nodeOf(node, depth + 1)));
        }
        return all;
    }

    async #nodeOf(node: MdastNode, depth: number): Promise<AnswerNode[]> {
        const children = "children" in node ? await this.#nodesOf(node.children as MdastNode[], depth) : [];
        switch (node.type) {
            case "text":
                return [{ type: "text", value: node.value.replace(address, removed) }];
            case "html": {
                const text = { type: "text", value: node.value.replace(address, removed) };
                return depth === 1 ? [{ type: "paragraph", children: [text] }] : [text];
            }
            case "image":
            case "imageReference":
                return [{ type: "text", value: (node.alt ?? "").replace(address, removed) }];
            case "link":
                return this.#linkOf(node.url, children);
            case "code":
            case "inlineCode":
                return [{ type: node.type, value: node.value }];
            case "heading":
                return [{ type: node.type, depth: node.depth, children }];
            case "list":
                return [{ type: node.type, ...(node.ordered ? { start: node.start ?? 1 } : {}), children }];
            case "break":
            case "thematicBreak":
                return [{ type: node.type }];
            case "paragraph":
            case "strong":
            case "emphasis":
            case "delete":
            case "blockquote":
            case "listItem":
            case "table":
            case "tableRow":
            case "tableCell":
                return [{ type: node.type, children }];
            default:
                return children;
        }
    }

    async #linkOf(target: string, children: readonly AnswerNode[]): Promise<AnswerNode[]> {
        const url = await this.resolve(target);
        if (url === undefined) {
            return [...children];
        }
        const [label] = children;
        const isAddress = children.length === 1 && label?.value === removed;
        return [{ type: "link", url, children: isAddress ? [{ type: "text", value: url }] : children }];
    }
}

function blocksOf(text: string): MdastNode[] {
    const root = markdownToMdast(text, { features: { frontmatter: false } });
    return "children" in root ? (root.children as MdastNode[]) : [];
}
