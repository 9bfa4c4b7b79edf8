import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { attribute, elementsIn } from "../../../exporter/src/compare/page-elements.js";

type Node = DefaultTreeAdapterTypes.Node;

interface PageSection {
    /** The heading's id; empty for the beginning of the page. */
    readonly id: string;
    readonly heading: string;
    readonly text: string;
}

/** A page in the form that every engine receives. */
export interface ExportedPage {
    /** The path from the site's root, such as `/guides/start`. */
    readonly path: string;
    readonly title: string;
    readonly sections: readonly PageSection[];
    /** The titles of parts that readers open, such as the questions of a FAQ. */
    readonly summaries: readonly string[];
}

const headings = new Set(["h2", "h3", "h4", "h5", "h6"]);
const withoutText = new Set(["script", "style", "template", "button", "form", "svg", "nav"]);

/** @returns undefined for a file that is missing or has no article */
export async function readExportedPage(site: string, path: string): Promise<ExportedPage | undefined> {
    const html = await readFirst(site, path === "/" ? ["index.html"] : [`${path}.html`, `${path}/index.html`]);
    const article = html && [...elementsIn(parse(html))].find(({ tagName }) => tagName === "article");
    if (article === undefined || article === "") {
        return undefined;
    }
    const sections = [{ id: "", heading: "", text: "" }];
    const summaries: string[] = [];
    let title = "";
    const visit = (node: Node): void => {
        if ("value" in node && node.nodeName === "#text") {
            sections.at(-1)!.text += node.value;
        } else if ("tagName" in node && node.tagName === "h1" && title === "") {
            title = headingOf(node);
        } else if ("tagName" in node && headings.has(node.tagName)) {
            sections.push({ id: attribute(node, "id") ?? "", heading: headingOf(node), text: "" });
        } else if ("childNodes" in node && !("tagName" in node && withoutText.has(node.tagName))) {
            if ("tagName" in node && node.tagName === "summary") {
                summaries.push(textOf(node));
            }
            node.childNodes.forEach(visit);
            sections.at(-1)!.text += " ";
        }
    };
    visit(article);
    return { path, title, summaries, sections: sections.map((each) => ({ ...each, text: tidy(each.text) })) };
}

async function readFirst(site: string, files: readonly string[]): Promise<string | undefined> {
    for (const file of files) {
        const text = await readFile(join(site, file), "utf8").catch(() => undefined);
        if (text !== undefined) {
            return text;
        }
    }
    return undefined;
}

/** Returns a heading's text without the symbol that links to the heading. */
function headingOf(node: Node): string {
    return textOf(node).replace(/\s*#$/, "");
}

function textOf(node: Node): string {
    const text = (each: Node): string =>
        "value" in each && each.nodeName === "#text"
            ? each.value
            : "childNodes" in each && !("tagName" in each && withoutText.has(each.tagName))
              ? each.childNodes.map(text).join("")
              : "";
    return tidy(text(node));
}

const tidy = (text: string): string => text.replace(/[\s\u200b]+/g, " ").trim();
