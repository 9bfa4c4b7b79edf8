import { type SitePlan } from "../plan/site-plan.js";
import { findUnpackableName } from "../read/published-names.js";
import { RedirectPattern } from "../read/redirect-pattern.js";
import { homeRoute, htmlFileOf } from "../read/routes.js";
import { ownFolder } from "../read/site-files.js";
import { resolveLink } from "../render/link-resolver.js";
import { writeRedirect } from "./side-files.js";

const homeFile = htmlFileOf(homeRoute);

/** For nginx: `map $uri $redirect { include …/redirects.map; }`. */
const mapFile = `${ownFolder}/redirects.map`;

/** Pages that lead on from old addresses, and a map of them for servers. A page or file at the address counts first. */
export function redirectFiles({ settings, targets }: SitePlan): Map<string, string> {
    const files = new Map<string, string>();
    const lines: string[] = [];
    for (const { source, destination } of settings.redirects ?? []) {
        const route = source.replace(/^\/+|\/+$/g, "").replace(/\.html$/, "");
        const line = mapLine(route, destination);
        if (line !== undefined && !targets.exported.has(route)) {
            lines.push(line);
        }
        const file = htmlFileOf(route);
        const isPage = route !== "" && !RedirectPattern.is(source) && findUnpackableName(file) === undefined;
        const isTaken = targets.exported.has(route) || targets.assets.has(file) || route.startsWith(`${ownFolder}/`);
        if (isPage && !isTaken && !/(?:^|\/)\.{0,2}(?:\/|$)/.test(route) && file !== homeFile) {
            const { href } = resolveLink(destination, { file: homeFile, route }, targets);
            if (isSafe(href)) {
                files.set(file, writeRedirect(href, absolute(destination, targets.domain)));
            }
        }
    }
    if (lines.length > 0) {
        files.set(mapFile, [...new Set(lines)].sort().join(""));
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

/** `/old/:name*` becomes a pattern; what nginx could read as more than an address is left out. */
function mapLine(route: string, destination: string): string | undefined {
    if (route === "" || !isAddress(route) || !isAddress(destination) || !isSafe(destination)) {
        return undefined;
    }
    if (!RedirectPattern.is(route)) {
        return `"/${route}" "${destination}";\n`;
    }
    const pattern = new RedirectPattern(route);
    const expression = pattern.toExpression((value, index) => `(?<p${index + 1}>${value})`);
    return `"~^/${expression}$" "${pattern.fill(destination, (index) => `\${p${index + 1}}`)}";\n`;
}

/** Whether the text has only characters of addresses, and none that has a meaning in nginx's configuration. */
function isAddress(text: string): boolean {
    return /^[\w\-./~!&'()*+,=:@%#?|]*$/.test(text) && text.length < 2000;
}
