import { decodeUri, isLeftOut, trimSlashes } from "@pulumi-static-export/contract";
import { escapeExpression } from "../../text/strings.js";
import { getOrMake } from "../../text/get-or-make.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { type LinkTargets, resolveLink } from "../../plan/links/link-resolver.js";
import { ownFolder } from "../../read/files/published-names.js";
import { type ExportNames } from "../output/export-names.js";
import { RedirectPattern } from "../../plan/links/redirect-pattern.js";
import { placeOfSource } from "../../plan/links/redirects.js";
import { type Redirect } from "../../read/settings/setting-values.js";
import { belowBasePath, homeRoute, htmlFileOf, siteUrl, type SiteAddress } from "../../read/files/routes.js";
import { writeRedirect } from "./redirect-page.js";

const homeFile = htmlFileOf(homeRoute);

/** For nginx: `map $path $redirect { include …/redirects.map; }`. */
const mapFile = `${ownFolder}/redirects.map`;

/** The redirects of a site, and the pages and files that exist. */
interface RedirectPlan {
    readonly settings: { readonly redirects?: readonly Redirect[] };
    readonly targets: Pick<LinkTargets, "basePath" | "exported" | "assets">;
}

/**
 * Pages that redirect from old addresses. An existing page or file at the address takes precedence, so write these pages
 * last, one after the other.
 */
export function* redirectPages(plan: SitePlan, names: ExportNames): Generator<[file: string, html: string]> {
    const { settings, targets } = plan;
    const files = new Map<string, string>();
    for (const { source, destination } of settings.redirects ?? []) {
        const route = routeOfRedirectPage(source);
        if (route !== undefined && !isTaken(route, plan)) {
            const { href } = resolveLink(destination, { file: homeFile, route }, targets);
            // An address that would run a script is excluded.
            if (isSafe(href) && href !== "#") {
                files.set(htmlFileOf(route), writeRedirect(href, absolute(destination, targets)));
            }
        }
    }
    for (const [file, html] of files) {
        if (file !== homeFile && names.isFree(file)) {
            yield [file, html];
        }
    }
}

/**
 * The same redirects for servers, relative to the root of the export. Excludes addresses with a special meaning in
 * nginx's configuration. Patterns stay in order, because the first match counts.
 */
export function redirectMap(plan: RedirectPlan): Map<string, string> {
    const { settings, targets } = plan;
    const below = (address: string) => belowBasePath(targets.basePath, address);
    // nginx ignores case in plain addresses, and refuses two addresses that differ only in case: all but one of them
    // become patterns.
    const taken = [...targets.exported.keys(), ...targets.assets].map((address) => {
        const sent = asSent(address);
        return [sent.toLowerCase(), sent] as const;
    });
    const spellings = new Map(taken);
    const lines = new Map<string, string>();
    for (const { source, destination } of settings.redirects ?? []) {
        const written = trimmed(source);
        const isPlain = !RedirectPattern.is(written);
        const route = routeOfSource(source);
        const isFree = route !== "" && !isTaken(route, plan) && !targets.assets.has(route);
        // Servers compare the address as browsers send it.
        const sent = asSent(route);
        const target = encodedWords(destination);
        // Only in a target, a dollar sign begins a variable of nginx.
        if (!isFree || !isAddress(sent.replaceAll("$", "")) || !isAddress(target) || !isSafe(target)) {
            continue;
        }
        const leadsTo = target.startsWith("/") ? `/${below(target.slice(1))}` : target;
        if (isPlain) {
            const isFirst = getOrMake(spellings, sent.toLowerCase(), () => sent) === sent;
            const address = `/${below(sent)}`;
            lines.set(route, `"${isFirst ? address : `~^${escapeExpression(address)}$`}" "${leadsTo}";\n`);
            continue;
        }
        const pattern = new RedirectPattern(below(written), (text) => asSent(decodeUri(text)));
        const expression = pattern.toExpression((value, index) => `(?<p${index + 1}>${value})`);
        const filled = pattern.fill(leadsTo, (index) => `\${p${index + 1}}`);
        lines.set(route, `"~^/${expression}$" "${filled}";\n`);
    }
    return new Map(lines.size === 0 ? [] : [[mapFile, [...lines.values()].join("")]]);
}

/** The route of the page that redirects from an address; undefined if no page can be there. */
export function routeOfRedirectPage(source: string): string | undefined {
    const route = routeOfSource(source);
    const isPage = route !== "" && !RedirectPattern.is(source) && !isLeftOut(route, true);
    return isPage ? route : undefined;
}

function routeOfSource(source: string): string {
    return placeOfSource(trimmed(source));
}

function trimmed(source: string): string {
    const path = trimSlashes(source);
    return RedirectPattern.is(path) ? path : path.replace(/\.html$/, "");
}

/** A path as browsers send it. */
function asSent(path: string): string {
    return encodeURI(path.normalize("NFC").toWellFormed()).replace(/[?#]/g, encodeURIComponent);
}

/** An address whose letters of other scripts and spaces are encoded; all other characters are unchanged. */
function encodedWords(address: string): string {
    return address.toWellFormed().replace(/\P{ASCII}+| /gu, encodeURIComponent);
}

function isTaken(route: string, { targets: { exported, assets } }: RedirectPlan): boolean {
    return exported.has(route) || assets.has(htmlFileOf(route)) || route.startsWith(`${ownFolder}/`);
}

/** A page must never run a setting's text as code. */
function isSafe(href: string): boolean {
    return !/^(?!https?:)[a-z][a-z\d+.-]*:/i.test(href);
}

function absolute(destination: string, site: SiteAddress): string {
    return destination.startsWith("/") ? siteUrl(site, encodedWords(destination.slice(1))) : destination;
}

/** Whether the text contains only address characters without a special meaning in nginx's configuration. */
function isAddress(text: string): boolean {
    return /^[\w\-./~!&'()*+,=:@%#?|]*$/.test(text) && text.length < 2000;
}
