import { type JsxAttribute, type JsxTag } from "./jsx-tag.js";

/** Attributes that contain text for readers in any component. */
const ofComponents = new Set(
    "title label name description caption hint tip headline cta summary subtitle heading question alt".split(" "),
);

const ofFields = new Set(["path", "query", "body", "header", "default"]);

const fenceFlags = new Set(
    "lines wrap expandable nocopy copy twoslash theme shownumbers showlinenumbers linenos".split(" "),
);

export function attributesForReaders({ name, attributes }: JsxTag): JsxAttribute[] {
    if (name === "Icon") {
        return [];
    }
    const isElement = /^[a-z]/.test(name);
    const isField = /^(?:Param|Response)Field$/.test(name);
    return attributes.filter(
        (attribute) =>
            attribute.text !== undefined &&
            (isElement
                ? attribute.name === "alt"
                : ofComponents.has(attribute.name) || (isField && ofFields.has(attribute.name))),
    );
}

/**
 * Returns whether an element has no text for readers: a style, a script, or content for agents, which is only in the
 * page's Markdown copy.
 */
export function isForNoReader({ name, attributes }: JsxTag): boolean {
    return (
        /^(?:style|script)$/i.test(name) ||
        (name === "Visibility" &&
            attributes.some((attribute) => attribute.name === "for" && attribute.text === "agents"))
    );
}

/** Returns the title of a fence: a quoted string, or the words after the language. */
export function titleOfFence(info: string): string {
    const quoted = /\b(?:title|filename)=(?:"([^"]*)"|'([^']*)')/.exec(info);
    const words = info
        .trim()
        .replace(/\{[^}]*\}|[\w-]+=(?:"[^"]*"|'[^']*'|\S*)/g, " ")
        .split(/\s+/)
        .slice(1)
        .filter((word) => !fenceFlags.has(word.toLowerCase().replace(/^\[|\]$/g, "")));
    return quoted?.[1] ?? quoted?.[2] ?? words.join(" ");
}
