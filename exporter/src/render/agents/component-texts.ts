import { otherNames } from "../components/components.js";

/** A component on a page, with the information for its Markdown. */
interface TextUse {
    /** The value of an attribute as text; undefined if it is missing or needs the page's code. */
    readonly attribute: (...names: readonly string[]) => string | undefined;
    readonly flag: (name: string) => boolean;
    /** The element's content as Markdown. */
    readonly inner: string;
    /** The element's number among its neighbours of the same name, from 1. */
    readonly number: number;
}

/** Writes a component as Markdown. */
type ComponentText = (use: TextUse) => string;

const alert =
    (kind: string): ComponentText =>
    ({ attribute, inner }) =>
        quoted(joined(`[!${kind}]`, joined(bold(attribute("title")), inner, "\n\n"), "\n"));

const alertOfType: Readonly<Record<string, string>> = {
    note: "NOTE",
    tip: "TIP",
    info: "NOTE",
    check: "TIP",
    success: "TIP",
    warning: "WARNING",
    caution: "CAUTION",
    danger: "CAUTION",
    error: "CAUTION",
};

const content: ComponentText = ({ inner }) => inner;
const nothing: ComponentText = () => "";
/** Writes a part with a title, which pages show folded or in a tab. */
const titled =
    (...names: readonly string[]): ComponentText =>
    ({ attribute, inner }) =>
        joined(joined(bold(attribute(...names)), attribute("description"), "\n\n"), inner, "\n\n");

const card: ComponentText = ({ attribute, inner }) => {
    const name = attribute("title") ?? attribute("href") ?? "";
    const body = inner === "" ? (attribute("description") ?? "") : inner;
    return listItem("- ", linked(name, attribute("href")), body);
};

/** The location of an API parameter, by the attribute that contains its name. */
const places = ["path", "query", "body", "header", "cookie"];

const field: ComponentText = ({ attribute, flag, inner }) => {
    const place = places.find((name) => attribute(name) !== undefined);
    const preset = attribute("default");
    const notes = [
        attribute("type"),
        place,
        flag("required") ? "required" : undefined,
        flag("deprecated") ? "deprecated" : undefined,
        preset === undefined ? undefined : `default: ${preset}`,
    ].filter((note) => note !== undefined);
    const name = attribute(place ?? "name", "name") ?? "";
    return listItem("- ", `\`${name}\`${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`, inner);
};

const treeItem: ComponentText = ({ attribute, inner }) =>
    listItem("- ", `${attribute("name", "label") ?? ""}${inner === "" ? "" : "/"}`, inner, "\n");

/** The components that documentation platforms share, as Markdown, by their MDX names. */
const texts: Readonly<Record<string, ComponentText>> = {
    Note: alert("NOTE"),
    Tip: alert("TIP"),
    Info: alert("NOTE"),
    Check: alert("TIP"),
    Warning: alert("WARNING"),
    Danger: alert("CAUTION"),
    Error: alert("CAUTION"),
    Callout: (use) => alert(alertOfType[use.attribute("type")?.toLowerCase() ?? ""] ?? "NOTE")(use),
    Card: card,
    Tile: ({ attribute }) =>
        listItem("- ", linked(attribute("title") ?? "", attribute("href")), attribute("description") ?? ""),
    CardGroup: content,
    Columns: content,
    Column: content,
    AccordionGroup: content,
    Accordion: titled("title"),
    Expandable: titled("title"),
    Steps: content,
    Step: ({ attribute, inner, number }) => {
        const own = attribute("stepNumber") ?? "";
        return listItem(`${/^\d{1,6}$/.test(own) ? own : number}. `, bold(attribute("title")), inner, "\n\n");
    },
    Tabs: content,
    Tab: titled("title", "value"),
    View: titled("title"),
    CodeGroup: content,
    RequestExample: content,
    ResponseExample: content,
    Panel: content,
    CodeBlock: ({ attribute, inner }) => {
        const title = attribute("filename", "title");
        const info = [attribute("language"), title].filter((part) => part !== undefined).join(" ");
        return fenced(attribute("code") ?? inner, info);
    },
    ParamField: field,
    Param: field,
    ResponseField: field,
    Tree: content,
    FileTree: content,
    "Tree.Folder": treeItem,
    "FileTree.Folder": treeItem,
    "Tree.File": treeItem,
    "FileTree.File": treeItem,
    TreeItem: treeItem,
    Frame: ({ attribute, inner }) =>
        [attribute("hint"), inner, attribute("caption")].filter((part) => part !== undefined).join("\n\n"),
    Icon: nothing,
    Tooltip: ({ attribute, inner }) => {
        const tip = attribute("tip", "content");
        const link = attribute("cta") === undefined ? "" : linked(attribute("cta") ?? "", attribute("href"));
        const note = [attribute("headline"), tip, link].filter((part) => part !== undefined && part !== "").join(" ");
        return note === "" ? inner : `${inner} (${note})`;
    },
    Badge: ({ attribute, inner }) => inner || (attribute("text") ?? ""),
    Latex: ({ inner }) => `$${inner}$`,
    Color: content,
    "Color.Row": titled("title"),
    "Color.Item": ({ attribute }) => listItem("- ", `${attribute("name") ?? ""}: \`${attribute("value") ?? ""}\``, ""),
    Update: ({ attribute, inner }) => {
        const head = `## ${attribute("label") ?? ""}`.trimEnd();
        return joined(joined(head, attribute("description"), "\n\n"), inner, "\n\n");
    },
    Prompt: ({ attribute, inner }) => joined(bold(attribute("description")), fenced(inner, "text"), "\n\n"),
    Visibility: ({ attribute, inner }) => (attribute("for") === "humans" ? "" : inner),
    "GitHub.Repo": ({ attribute }) => {
        const name = (attribute("repo") ?? "").replace(/^https:\/\/(?:www\.)?github\.com\//i, "");
        return linked(name, `https://github.com/${name}`);
    },
    Link: ({ attribute, inner }) => linked(inner, attribute("href", "to")),
    Heading: ({ attribute, inner }) => `${"#".repeat(Number(attribute("level") ?? 2) || 2)} ${inner}`,
    Image: ({ attribute }) => image(attribute("alt"), attribute("src")),
    img: ({ attribute }) => image(attribute("alt"), attribute("src")),
    a: ({ attribute, inner }) => linked(inner, attribute("href")),
    iframe: ({ attribute }) => linked(attribute("title", "src") ?? "", attribute("src")),
    video: ({ attribute, inner }) => (attribute("src") === undefined ? inner : linked("Video", attribute("src"))),
    source: ({ attribute }) => linked("Video", attribute("src")),
    style: nothing,
    script: nothing,
    svg: nothing,
};

/** Elements that only affect the layout of their content. */
const wrappers = new Set("div span section center article main header footer figure picture p".split(" "));

/** Components that are entries of a list, without blank lines between them. */
const listed = new Set(["Card", "Tile", "Step", "ParamField", "Param", "ResponseField", "TreeItem", "Color.Item"]);

/** @returns undefined for an element that may also occur in Markdown, such as `<kbd>` */
export function textOfComponent(name: string): ComponentText | undefined {
    const own = otherNames[name] ?? name;
    if (Object.hasOwn(texts, own)) {
        return texts[own];
    }
    return wrappers.has(name) ? content : /^[a-z]/.test(name) ? undefined : unknownText;
}

/** Components that may occur within a line of text. Within a line, all other components show only their content. */
const inLines = new Set(
    "Tooltip Badge Icon Latex Link LinkButton Image Visibility GitHub.Repo Color.Item img a".split(" "),
);

export function isShownInLine(name: string): boolean {
    return inLines.has(name) || isOwnComponent(name);
}

/** Whether the page or one of its imports defines the component, unless it does not exist. */
export function isOwnComponent(name: string): boolean {
    return textOfComponent(name) === unknownText;
}

/** Whether an element only affects the layout of its content. */
export function isWrapper(name: string): boolean {
    return wrappers.has(name);
}

export function isListed(name: string): boolean {
    const own = otherNames[name] ?? name;
    return listed.has(own) || /Tree\./.test(own);
}

/** A component of the site, whose code does not run here. */
const unknownText: ComponentText = ({ attribute, inner }) => {
    const text = inner || (attribute("title", "label", "text", "name") ?? "");
    const href = attribute("href");
    return href === undefined || text.includes("\n") ? text : linked(text || href, href);
};

function joined(head: string | undefined, body: string | undefined, separator: string): string {
    return [head, body].filter((part) => part !== undefined && part !== "").join(separator);
}

function bold(title: string | undefined): string {
    return title === undefined || title.trim() === "" ? "" : `**${title.trim()}**`;
}

/** Writes text on one line. */
export function inline(text: string): string {
    return text.replace(/(?<!\s)\s*\n\s*/g, " ");
}

/** Writes blocks on one line, without the marks of headings, lists and quotes. */
function nameOf(blocks: string): string {
    const lines = blocks.split("\n").map((line) => line.trim().replace(/^(?:#{1,6}|[-+*>]|\d+\.) +/, ""));
    return lines.length === 1 ? blocks : lines.filter((line) => line !== "").join(" ");
}

export function linked(name: string, href: string | undefined): string {
    return href === undefined || href === ""
        ? name
        : `[${nameOf(name)}](${/[\s()]/.test(href) ? encodeURI(href).replace(/[()]/g, encodeURIComponent) : href})`;
}

export function image(alt: string | undefined, src: string | undefined): string {
    return src === undefined || src.startsWith("data:") ? "" : `!${linked(alt?.replace(/[[\]]/g, "\\$&") ?? "", src)}`;
}

function quoted(text: string): string {
    return text.replace(/^/gm, "> ").replace(/^> $/gm, ">");
}

export function fenced(code: string, info: string): string {
    const longest = Math.max(2, ...Array.from(code.matchAll(/`{3,}/g), ([run]) => run.length));
    const fence = "`".repeat(longest + 1);
    return `${fence}${info}\n${code.replace(/^\n+|(?<!\n)\n+$/g, "")}\n${fence}`;
}

/**
 * Writes an entry of a list.
 * @param separator the text between the first line and the body; if missing, a colon precedes a body of one line
 */
function listItem(mark: string, head: string, body: string, separator = ""): string {
    const indented = (text: string) => text.replace(/^(?=[^\n])/gm, " ".repeat(mark.length));
    if (body.trim() === "") {
        return mark + head;
    }
    if (head === "") {
        return mark + indented(body.trim()).trimStart();
    }
    const isShort = separator === "" && !body.includes("\n");
    return isShort ? `${mark}${head}: ${body}` : `${mark}${head}${separator || "\n\n"}${indented(body)}`;
}
