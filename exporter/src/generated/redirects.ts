import { type SitePlan } from "../plan/site-plan.js";
import { findUnpackableName } from "../files/published-names.js";
import { RedirectPattern } from "../links/redirect-pattern.js";
import { homeRoute, htmlFileOf } from "../files/routes.js";
import { ownFolder } from "../files/site-files.js";
import { resolveLink } from "../links/link-resolver.js";
import { writeRedirect } from "./side-files.js";

const homeFile = htmlFileOf(homeRoute);

/** For nginx: `map $path $redirect { include …/redirects.map; }`. */
const mapFile = `${ownFolder}/redirects.map`;

/** Pages that lead on from old addresses, and a map of them for servers. A page or file at the address counts first. */
export function redirectFiles({ settings, targets }: SitePlan): Map<string, string> {
    const files = new Map<string, string>();
    const map = new RedirectMap([...targets.exported, ...targets.assets]);
    for (const { source, destination } of settings.redirects ?? []) {
        const route = source.replace(/^\/+|\/+$/g, "").replace(/\.html$/, "");
        const file = htmlFileOf(route);
        const isPage = route !== "" && !RedirectPattern.is(source) && findUnpackableName(file) === undefined;
        const isTaken = targets.exported.has(route) || targets.assets.has(file) || route.startsWith(`${ownFolder}/`);
        if (!isTaken && !targets.assets.has(route)) {
            map.add(route, destination);
        }
        if (isPage && !isTaken && !/(?:^|\/)\.{0,2}(?:\/|$)/.test(route) && file !== homeFile) {
            const { href } = resolveLink(destination, { file: homeFile, route }, targets);
            if (isSafe(href)) {
                files.set(file, writeRedirect(href, absolute(destination, targets.domain)));
            }
        }
    }
    if (map.text !== "") {
        files.set(mapFile, map.text);
    }
    return files;
}

/** A page must not run what a setting says. */
function isSafe(href: string): boolean {
    return !/^(?!https?:)[a-z][a-z\d+.-]*:/i.test(href);
}

function absolute(destination: string, domain: string): string {
    return destination.startsWith("/") ? `https://${domain}${encodeURI(destination)}` : destination;
}

/** What nginx could read as more than an address is left out. Patterns stay in their order: the first that fits counts. */
class RedirectMap {
    readonly #lines = new Map<string, string>();
    /** nginx finds plain addresses without regard to case, and takes no two of them: others are written as patterns. */
    readonly #spellings = new Map<string, string>();

    constructor(taken: readonly string[]) {
        taken.forEach((address) => this.#spellings.set(address.toLowerCase(), address));
    }

    get text(): string {
        return [...this.#lines.values()].join("");
    }

    add(route: string, destination: string): void {
        if (route === "" || !isAddress(route) || !isAddress(destination) || !isSafe(destination)) {
            return;
        }
        const pattern = new RedirectPattern(route);
        const spelling = this.#spellings.get(route.toLowerCase()) ?? route;
        if (!RedirectPattern.is(route)) {
            this.#spellings.set(route.toLowerCase(), spelling);
        }
        if (!RedirectPattern.is(route) && spelling === route) {
            this.#lines.set(route, `"/${route}" "${destination}";\n`);
            return;
        }
        const expression = pattern.toExpression((value, index) => `(?<p${index + 1}>${value})`);
        const target = pattern.fill(destination, (index) => `\${p${index + 1}}`);
        this.#lines.set(route, `"~^/${expression}$" "${target}";\n`);
    }
}

/** Whether the text has only characters of addresses, and none that has a meaning in nginx's configuration. */
function isAddress(text: string): boolean {
    return /^[\w\-./~!&'()*+,=:@%#?|]*$/.test(text) && text.length < 2000;
}
