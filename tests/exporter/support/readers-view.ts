import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";

type ChildNode = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Attributes with a meaning for readers. */
const attributes = new Set("href src alt title start type checked open align colspan rowspan border".split(" "));
const blocks = new Set(
    (
        "address article aside blockquote br center dd details div dl dt figure h1 h2 h3 h4 h5 h6 hr li ol p pre section " +
        "summary table tbody td tfoot th thead tr ul option select iframe video svg"
    ).split(" "),
);

/** HTML as readers see it: its elements, one a line, and its text in order, without what the exporter adds. */
export function readersView(html: string): string {
    return viewOf(parseFragment(html).childNodes, false)
        .replace(/ *\n\s*/g, "\n")
        .replace(/ +/g, " ")
        .trim();
}

function viewOf(nodes: readonly ChildNode[], isPre: boolean): string {
    return nodes.map((node) => viewOfNode(node, isPre)).join("");
}

function viewOfNode(node: ChildNode, isPre: boolean): string {
    if ("value" in node) {
        const text = node.value.replaceAll("<", "&lt;");
        return isPre ? text.replaceAll("\n", "⏎").replaceAll(" ", "·") : text.replace(/\s+/g, " ");
    }
    if (!("tagName" in node) || node.tagName === "script" || classOf(node) === "anchor") {
        return "";
    }
    const { tagName } = node;
    const children = viewOf(node.childNodes, isPre || tagName === "pre" || tagName === "textarea");
    const inner = tagName === "pre" ? children.replace(/[⏎·]+$/, "") : children;
    if (isFrame(node) || isLoose(node) || (/^(?:p|span)$/.test(tagName) && inner.trim() === "")) {
        return inner;
    }
    const shown = node.attrs.flatMap(({ name, value }) =>
        name === "style"
            ? value.replace(/^text-align: (\w+)$/, " align=$1")
            : attributes.has(name)
              ? ` ${name}=${value}`
              : [],
    );
    const end = blocks.has(tagName) ? "\n" : "";
    return `${end}<${tagName}${shown.sort().join("")}>${end}${inner}${end}</${tagName}>${end}`;
}

/** Boxes around tables and code, and the colours of code. */
function isFrame(node: Element): boolean {
    return /^(?:table|code|hljs-.*|language-.*)$/.test(classOf(node)) && /^(?:div|span)$/.test(node.tagName);
}

/** Only a loose list has paragraphs in its items; the parsers differ in which are loose. */
function isLoose({ tagName, parentNode }: Element): boolean {
    return tagName === "p" && parentNode !== null && "tagName" in parentNode && parentNode.tagName === "li";
}

function classOf({ attrs }: Element): string {
    return attrs.find(({ name }) => name === "class")?.value ?? "";
}
