/** Elements that load something as soon as their page is opened. */
const loadingTag = /<(img|source|video|audio|track|iframe|embed|object|input|image|use|link)\b([^>]*)>?/g;
const loadedAddress = / (?:src|srcset|poster|data|href|xlink:href)="([^"]*)"/g;
/** Matches attributes and elements with styles, in which `url()` and `@import` load something. */
const styleText = /<style\b([^]*?)(?:<\/style>|$)| style="([^"]*)"/g;
const loadedStyle = /(?:url\(|@import)\s*(?:["']|&quot;|&#39;)?((?:https?:)?\/\/[^\s"')&]+)/g;
const otherHost = /(?:^|[\s,])(?:https?:)?\/\/([^\s"',/?#@]+)/g;
const loadsLink = / rel="[^"]*(?:stylesheet|icon|preload|preconnect|modulepreload|manifest)/;

/** The hosts from which a page loads anything except scripts, which have a separate list. */
export function hostsLoadedBy(html: string): string[] {
    const hosts: string[] = [];
    for (const [, tag, attributes = ""] of html.matchAll(loadingTag)) {
        if (tag !== "link" || loadsLink.test(attributes)) {
            for (const [, address = ""] of attributes.matchAll(loadedAddress)) {
                hosts.push(...hostsIn(address));
            }
        }
    }
    // A shortcut, because most pages contain no styles.
    const styles = html.includes("<style") || html.includes(' style="') ? html.matchAll(styleText) : [];
    for (const [, sheet, attribute] of styles) {
        hosts.push(...hostsOfStyles(sheet ?? attribute ?? ""));
    }
    return hosts;
}

/** The hosts from which a style sheet loads pictures, fonts or other sheets. */
export function hostsOfStyles(css: string): string[] {
    return [...css.matchAll(loadedStyle)].flatMap(([, address = ""]) => hostsIn(address));
}

/** The host of an address; undefined for an address within the site, or one that is not HTTP. */
export function hostOf(address: string): string | undefined {
    return hostsIn(address)[0];
}

function hostsIn(addresses: string): string[] {
    return [...addresses.matchAll(otherHost)].map(([, host = ""]) => host.toLowerCase());
}
