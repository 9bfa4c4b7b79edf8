import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { markdownToMdast, mdxToMdast, type MdastNode } from "satteri";

export const ownProjectPage = "docs/own-project.md";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** All documents with commands for readers, relative to the checkout. */
export const documents = [
    "README.md",
    "dev/bench/README.md",
    "sdk/README.md",
    "provider/README.md",
    "cli/README.md",
    "charts/documentation-site/README.md",
    ...pagesIn("docs"),
    ...pagesIn("examples"),
].filter((file) => existsSync(join(root, file)));

function pagesIn(folder: string): string[] {
    return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.mdx?$/.test(file) && !file.includes("node_modules"))
        .map((file) => join(folder, file))
        .sort();
}

export interface CodeBlock {
    readonly language: string;
    /** The file in which the reader should save the block, if the block names a file. */
    readonly title: string | undefined;
    readonly text: string;
    /** The file and line for messages, such as `docs/quickstart.md:11`. */
    readonly place: string;
}

/** Returns the fenced code blocks of a document in order, including blocks inside components. */
export function codeBlocks(document: string): CodeBlock[] {
    return nodesOf(document, "code").map(({ lang, meta, value, position }) => ({
        language: lang ?? "",
        title: /title="([^"]+)"/.exec(meta ?? "")?.[1],
        text: value,
        place: `${document}:${position?.start.line}`,
    }));
}

/** Returns the links of a document, with their targets and text as written. */
export function links(document: string): { url: string; text: string; place: string }[] {
    const source = readFileSync(join(root, document), "utf8");
    return nodesOf(document, "link").map(({ url, position, children }) => ({
        url,
        text: source.slice(children[0]?.position?.start.offset, children.at(-1)?.position?.end.offset),
        place: `${document}:${position?.start.line}`,
    }));
}

/** Returns the targets of a document's links and images, and those of its components. */
export function targets(document: string): { url: string; place: string }[] {
    const images = nodesOf(document, "image").map(({ url, position }) => ({
        url,
        place: `${document}:${position?.start.line}`,
    }));
    const source = readFileSync(join(root, document), "utf8").replace(/^( *)(`{3,})[^]*?^\1\2$/gm, "");
    const inComponents = [...source.matchAll(/^ *<.* (?:href|src)="([^"]+)"/gm)].map(([, url = ""]) => ({
        url,
        place: document,
    }));
    return [...links(document), ...images, ...inComponents];
}

function nodesOf<Type extends MdastNode["type"]>(document: string, type: Type): Extract<MdastNode, { type: Type }>[] {
    const source = readFileSync(join(root, document), "utf8");
    const found: Extract<MdastNode, { type: Type }>[] = [];
    const visit = (node: MdastNode): void => {
        if (node.type === type) {
            found.push(node as Extract<MdastNode, { type: Type }>);
        }
        ("children" in node ? node.children : []).forEach(visit);
    };
    visit(document.endsWith(".mdx") ? mdxToMdast(source) : markdownToMdast(source));
    return found;
}
