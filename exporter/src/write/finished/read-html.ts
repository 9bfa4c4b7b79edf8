import { Tokenizer, TokenizerMode, type Token, type TokenHandler } from "parse5";
import { hostOf } from "../../html/loaded-hosts.js";

/** An address in a page. */
interface FoundAddress {
    readonly href: string;
    readonly line: number;
}

/** A page of finished HTML. */
interface HtmlPage {
    readonly ids: readonly string[];
    /** Addresses of links, pictures, scripts and styles. */
    readonly addresses: readonly FoundAddress[];
    /** The address in `<base>`, from which relative addresses start. */
    readonly base: string | undefined;
    /** Whether the page only redirects (`<meta http-equiv="refresh">`). */
    readonly isRedirect: boolean;
    /** Hosts from which the page loads scripts. */
    readonly scriptHosts: readonly string[];
}

/** The attributes with an address, by element. */
const addressAttributes: Readonly<Record<string, readonly string[]>> = {
    a: ["href"],
    area: ["href"],
    link: ["href"],
    script: ["src"],
    img: ["src"],
    source: ["src"],
    video: ["src", "poster"],
    audio: ["src"],
    track: ["src"],
    iframe: ["src"],
    embed: ["src"],
    object: ["data"],
};

/** Links that browsers follow or load; others, such as `canonical`, only name an address. */
const loadedLink = /\b(?:stylesheet|icon|apple-touch-icon|manifest|preload|modulepreload|next|prev)\b/i;
const refreshTarget = /^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?["']?([^"']*)/i;
const srcsetCandidate = /([^\s,](?:\S*[^\s,])?)[^,]*/g;

const textModes: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>> = {
    script: TokenizerMode.SCRIPT_DATA,
    style: TokenizerMode.RAWTEXT,
    noscript: TokenizerMode.DATA,
    title: TokenizerMode.RCDATA,
    textarea: TokenizerMode.RCDATA,
    xmp: TokenizerMode.RAWTEXT,
    iframe: TokenizerMode.RAWTEXT,
};

/** Reads tags without building a tree, because a site may have thousands of pages. */
export function readHtml(text: string): HtmlPage {
    const ids: string[] = [];
    const addresses: FoundAddress[] = [];
    const scriptHosts: string[] = [];
    let base: string | undefined;
    let isRedirect = false;

    const onStartTag = (tag: Token.TagToken): void => {
        const { tagName, attrs } = tag;
        const valueOf = (name: string) => attrs.find((attribute) => attribute.name === name)?.value;
        const add = (href: string) => void addresses.push({ href, line: tag.location?.startLine ?? 1 });
        ids.push(...[valueOf("id"), tagName === "a" ? valueOf("name") : undefined].filter((id) => id !== undefined));
        if (tagName === "base") {
            base ??= valueOf("href");
        } else if (tagName === "meta" && /^refresh$/i.test(valueOf("http-equiv") ?? "")) {
            const target = refreshTarget.exec(valueOf("content") ?? "")?.[1];
            if (target) {
                isRedirect = true;
                add(target);
            }
        }
        if (tagName !== "link" || loadedLink.test(valueOf("rel") ?? "")) {
            const names = Object.hasOwn(addressAttributes, tagName) ? addressAttributes[tagName] : undefined;
            (names ?? []).flatMap((name) => valueOf(name) ?? []).forEach(add);
        }
        if (tagName === "img" || tagName === "source") {
            [...(valueOf("srcset") ?? "").matchAll(srcsetCandidate)].forEach(([, href = ""]) => add(href));
        }
        if (tagName === "script") {
            scriptHosts.push(...[hostOf(valueOf("src") ?? "")].filter((host) => host !== undefined));
        }
        tokenizer.state = textModes[tagName] ?? tokenizer.state;
    };
    const ignore = () => undefined;
    const handler: TokenHandler = {
        onStartTag,
        onEndTag: ignore,
        onComment: ignore,
        onDoctype: ignore,
        onEof: ignore,
        onCharacter: ignore,
        onNullCharacter: ignore,
        onWhitespaceCharacter: ignore,
    };
    const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, handler);
    tokenizer.write(text, true);
    return { ids, addresses, base, isRedirect, scriptHosts };
}
