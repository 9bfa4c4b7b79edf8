import { find, html, svg } from "property-information";
import { escapeHtml } from "../text/html-text.js";

/** An element's attributes, by the property names of a syntax tree or of JSX. */
export type Properties = Readonly<Record<string, unknown>>;

/** The HTML or SVG name of an attribute, given the name in a syntax tree or in JSX. */
function attributeName(property: string): string {
    const info = Object.hasOwn(html.property, property) ? html.property[property] : undefined;
    if (info !== undefined) {
        return info.attribute;
    }
    // `find` mistakes names that every object inherits, such as `constructor`, for known ones.
    if (property.toLowerCase() in Object.prototype) {
        return property;
    }
    const known = find(html, property);
    return (known.property in html.property ? known : find(svg, property)).attribute;
}

/** Writes properties as attributes, with a leading space; false, null and undefined are left out. */
export function writeAttributes(properties: Properties): string {
    let written = "";
    for (const [property, value] of Object.entries(properties)) {
        if (value === false || value === null || value === undefined) {
            continue;
        }
        const name = attributeName(property);
        written += value === true ? ` ${name}` : ` ${name}="${escapeHtml(attributeText(value))}"`;
    }
    return written;
}

function attributeText(value: unknown): string {
    if (Array.isArray(value)) {
        return value.filter(isText).join(" ");
    }
    if (typeof value === "object" && value !== null) {
        return styleText(value as Properties);
    }
    return String(value);
}

function isText(value: unknown): value is string | number {
    return typeof value === "string" || typeof value === "number";
}

/** `style={{ maxWidth: 400 }}` as CSS. A number without a unit means pixels, as in React. */
export function styleText(style: Properties): string {
    return Object.entries(style)
        .filter((entry): entry is [string, string | number] => isText(entry[1]))
        .map(([key, value]) => {
            const property = key.startsWith("--") ? key : key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
            return `${property}:${typeof value === "number" && value !== 0 ? `${value}px` : value}`;
        })
        .join(";");
}

/**
 * A candidate consists of an address, which may contain commas but does not end with one, and a condition: `a.png 2x`.
 */
export function rewriteSrcset(srcset: string, rewrite: (href: string) => string): string {
    return srcset.replace(
        /([^\s,](?:\S*[^\s,])?)([^,]*)/g,
        (_, href: string, meantFor: string) => rewrite(href) + meantFor,
    );
}
