import { type Properties } from "./html-attributes.js";

export const runsNoScript = "is left out: an export does not run scripts of pages";

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
        return !isAllowedAddress(String(value)) || /^data:image\/svg/i.test(withoutSpaces(String(value)));
    }
    return (
        isEventHandler(name) ||
        plainName === "srcdoc" ||
        (otherAddresses.has(plainName) && !String(value).split(";").every(isAllowedAddress))
    );
}

/**
 * Schemes whose addresses leave the page without running code in it: those of the HTML standard for protocol handlers,
 * and those of editors and chats, for installation links.
 */
const schemes = new Set(
    [
        "http https mailto tel sms data",
        "bitcoin ftp ftps geo git im irc ircs magnet matrix mms news nntp openpgp4fpr sftp sip sips smsto ssh urn",
        "webcal xmpp",
        "claude cursor figma goose intellij jetbrains lmstudio msteams notion obsidian raycast slack spotify tg",
        "vscode vscode-insiders vscodium whatsapp windsurf xcode zed zoommtg",
    ].flatMap((line) => line.split(" ")),
);

/** Matches data that browsers show as a picture, play, download or show as plain text. */
const data =
    /^data:(?:[;,]|(?:image|audio|video|font)\/|application\/(?:pdf|json|octet-stream|zip)\b|text\/(?:plain|csv)\b)/i;

/** Why an address is left out; undefined for an address that pages may contain. */
export function whyRefused(href: string): string | undefined {
    return isAllowedAddress(href)
        ? undefined
        : /^javascript:/i.test(withoutSpaces(href))
          ? runsNoScript
          : "is left out: pages may not use links with its scheme";
}

/** Whether a page may contain an address: it has no scheme, or one that runs no code in the page. */
export function isAllowedAddress(href: string): boolean {
    const address = withoutSpaces(href);
    const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase();
    return (
        scheme === undefined ||
        (scheme === "data" ? data.test(address) : schemes.has(scheme) || /^web\+[a-z]+$/.test(scheme))
    );
}

/** Browsers ignore spaces and control characters in addresses. */
function withoutSpaces(href: string): string {
    return href.replace(/[\p{Cc}\s]+/gu, "");
}
