import { find, html, svg, type Info } from "property-information";
import { escapeHtml } from "../text/html-text.js";

/** An element's attributes, by the property names of a syntax tree or of JSX. */
export type Properties = Readonly<Record<string, unknown>>;

/** The HTML or SVG attribute with a name from a syntax tree or from JSX. */
export function attributeInfo(property: string): Pick<Info, "attribute" | "boolean" | "commaSeparated"> {
    const info = Object.hasOwn(html.property, property) ? html.property[property] : undefined;
    if (info !== undefined) {
        return info;
    }
    // `find` mistakes names that every object inherits, such as `constructor`, for known ones.
    if (property.toLowerCase() in Object.prototype) {
        return { attribute: property, boolean: false, commaSeparated: false };
    }
    const known = find(html, property);
    return known.property in html.property ? known : find(svg, property);
}

/** Writes properties as attributes, with a leading space; false, null and undefined are left out. */
export function writeAttributes(properties: Properties): string {
    let written = "";
    for (const [property, value] of Object.entries(properties)) {
        if (value === false || value === null || value === undefined) {
            continue;
        }
        const { attribute, commaSeparated } = attributeInfo(property);
        written += ` ${attribute}`;
        if (value !== true) {
            written += `="${escapeHtml(attributeText(value, commaSeparated ? ", " : " "))}"`;
        }
    }
    return written;
}

function attributeText(value: unknown, separator: string): string {
    if (Array.isArray(value)) {
        return value.filter(isText).join(separator);
    }
    if (typeof value === "object" && value !== null) {
        return styleText(value as Properties);
    }
    return String(value);
}

function isText(value: unknown): value is string | number {
    return typeof value === "string" || typeof value === "number";
}

/** React's properties of style whose numbers are not pixels, from its `react-dom/server`. */
const unitless = new Set(
    [
        "animationIterationCount aspectRatio borderImageOutset borderImageSlice borderImageWidth boxFlex boxFlexGroup",
        "boxOrdinalGroup columnCount columns flex flexGrow flexPositive flexShrink flexNegative flexOrder gridArea",
        "gridRow gridRowEnd gridRowSpan gridRowStart gridColumn gridColumnEnd gridColumnSpan gridColumnStart",
        "fontWeight lineClamp lineHeight opacity order orphans scale tabSize widows zIndex zoom fillOpacity",
        "floodOpacity stopOpacity strokeDasharray strokeDashoffset strokeMiterlimit strokeOpacity strokeWidth",
        "MozAnimationIterationCount MozBoxFlex MozBoxFlexGroup MozLineClamp msAnimationIterationCount msFlex msZoom",
        "msFlexGrow msFlexNegative msFlexOrder msFlexPositive msFlexShrink msGridColumn msGridColumnSpan msGridRow",
        "msGridRowSpan WebkitAnimationIterationCount WebkitBoxFlex WebKitBoxFlexGroup WebkitBoxOrdinalGroup",
        "WebkitColumnCount WebkitColumns WebkitFlex WebkitFlexGrow WebkitFlexPositive WebkitFlexShrink WebkitLineClamp",
    ].flatMap((line) => line.split(" ")),
);

/** `style={{ maxWidth: 400 }}` as CSS, by React's rules. */
export function styleText(style: Properties): string {
    return Object.entries(style)
        .filter((entry): entry is [string, string | number] => isText(entry[1]) && entry[1] !== "")
        .map(([name, value]) => {
            const isCustom = name.startsWith("--");
            const property = isCustom ? name : name.replace(/[A-Z]/g, "-$&").toLowerCase().replace(/^ms-/, "-ms-");
            const isLength = typeof value === "number" && value !== 0 && !isCustom && !unitless.has(name);
            return `${property}:${String(value).trim()}${isLength ? "px" : ""}`;
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
