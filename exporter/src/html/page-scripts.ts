import { type Properties } from "./html-attributes.js";

export const runsNoScript = "is left out: an export runs no script of a page";

/** Whether browsers would run a `<script>` with these attributes; other scripts contain data, such as JSON-LD. */
export function isRunByBrowsers({ type }: Properties): boolean {
    return typeof type !== "string" || /^\s*$|script|^module$/i.test(type);
}

/** Whether an attribute is an event handler, in HTML (`onclick`) or in React (`onClick`). */
function isEventHandler(name: string): boolean {
    return /^on[a-z]{3}/i.test(name);
}

/** Elements that contain a whole document. */
const frames = new Set(["iframe", "frame", "embed", "object"]);
const addressesOfFrames = new Set(["src", "data"]);
/**
 * Attributes that browsers treat as addresses, except the attributes of links and pictures, which are checked when
 * links are resolved.
 */
const otherAddresses = new Set(["action", "formaction", "xlinkhref", "from", "to", "by", "values"]);

/** Whether an attribute, in HTML or in React, contains code that browsers would run. */
export function holdsScript(tagName: string, name: string, value: unknown): boolean {
    const plainName = name.toLowerCase().replace(/[^a-z]/g, "");
    if (frames.has(tagName) && addressesOfFrames.has(plainName)) {
        return isScriptAddress(String(value)) || documentAddress.test(withoutSpaces(String(value)));
    }
    return (
        isEventHandler(name) ||
        plainName === "srcdoc" ||
        (otherAddresses.has(plainName) && String(value).split(";").some(isScriptAddress))
    );
}

/** Whether browsers would run an address as code. */
export function isScriptAddress(href: string): boolean {
    return /^javascript:/i.test(withoutSpaces(href));
}

/** An address that contains a document, which may have scripts. */
const documentAddress = /^data:(?!application\/pdf|image\/(?!svg)|audio\/|video\/|text\/plain)/i;

/** Browsers ignore spaces and control characters in addresses. */
function withoutSpaces(href: string): string {
    return href.replace(/[\p{Cc}\s]+/gu, "");
}
