import { withoutQuery } from "@pulumi-static-export/contract";
import { type FoundWarning, type SettingPlace, type SourcePlace } from "../../problems/warning-log.js";
import { type Redirect } from "../../read/settings/setting-values.js";
import { partOf, type AnchorLink } from "./anchor-check.js";
import { type LinkTargets, resolveLink, routeAt, routeOfLink } from "./link-resolver.js";
import { RedirectPattern } from "./redirect-pattern.js";
import { placeOfSource, problemOfTarget, Redirects } from "./redirects.js";
import { canonicalPath, homeRoute, htmlFileOf } from "../../read/files/routes.js";

/** Each name that may be absent doubles the number of redirects. */
const maxOptional = 3;

/**
 * The redirects that an export can follow: a redirect with optional names becomes one redirect for each of its forms.
 * Reports and leaves out the others.
 * @param exists whether a page or a file of the site is at the place, where it takes precedence over redirects
 */
export function usableRedirects(
    given: readonly Redirect[],
    exists: (place: string) => boolean,
    warn: (warning: FoundWarning) => void,
): Redirect[] {
    const leaveOut = (redirect: Redirect, why: string) =>
        warn({
            kind: "settings",
            ...placeOf(redirect),
            reason: `the redirect from ${redirect.source} is left out: ${why}`,
        });
    const sources = new Set(given.map(({ source }) => placeOfSource(source)));
    const forms = given.flatMap((redirect) => {
        const problem = problemOf(redirect);
        if (problem !== undefined) {
            leaveOut(redirect, problem);
            return [];
        }
        // A redirect of the settings takes precedence over a form of another redirect.
        return formsOf(redirect).filter(({ source }, at) => at === 0 || !sources.has(placeOfSource(source)));
    });
    const all = new Redirects(forms);
    return forms.filter((redirect) => {
        const loop = loopFrom(redirect, all, exists);
        if (loop !== undefined) {
            leaveOut(redirect, `it leads back to itself (${loop})`);
        }
        return loop === undefined;
    });
}

function placeOf({ place, at = "redirects" }: Redirect): SourcePlace | { readonly setting: SettingPlace } {
    return place ?? { setting: { path: at } };
}

/** The redirects, with the addresses of pages as targets: `/guides/new.md` becomes `/guides/new`. */
export function withPageAddresses(
    redirects: readonly Redirect[],
    targets: Pick<LinkTargets, "pages" | "home" | "assets" | "linkPrefixes">,
): Redirect[] {
    return redirects.map((redirect) => {
        const { destination } = redirect;
        const path = withoutQuery(destination);
        const place = placeOfSource(path);
        const route = path.startsWith("/") && !targets.assets.has(place) ? routeAt(path, targets) : undefined;
        return route === undefined || route === place
            ? redirect
            : { ...redirect, destination: `/${canonicalPath(route)}${destination.slice(path.length)}` };
    });
}

/** Redirects that lead to nothing, or have no effect. */
export function problemsOfRedirects(redirects: readonly Redirect[], targets: LinkTargets): FoundWarning[] {
    return [...deadRedirects(redirects, targets), ...takenRedirects(redirects, targets)];
}

/** Redirects from addresses at which the site has a page or a file. */
function takenRedirects(
    redirects: readonly Redirect[],
    { exported, pages, assets }: Pick<LinkTargets, "exported" | "pages" | "assets">,
): FoundWarning[] {
    return redirects.flatMap((redirect): FoundWarning[] => {
        const { source, at, place } = redirect;
        const route = placeOfSource(source).replace(/\.html$/, "");
        const page = exported.has(route) ? pages.get(route)?.file : undefined;
        const file = page ?? [route, htmlFileOf(route)].find((each) => assets.has(each));
        const reason = `the redirect from ${source} has no effect, because ${file} is at this address: remove one of the two`;
        const isAuthors = at !== undefined || place !== undefined;
        return file === undefined || !isAuthors ? [] : [{ kind: "settings", ...placeOf(redirect), reason }];
    });
}

/** The links of redirects to parts of pages. @param fileOf finds a setting in the file that contains it */
export function anchorsOfRedirects(
    redirects: readonly Redirect[],
    targets: LinkTargets,
    fileOf: (setting: SettingPlace) => SourcePlace,
): AnchorLink[] {
    return redirects.flatMap((redirect): AnchorLink[] => {
        const { source, destination: href, at, place } = redirect;
        const anchor = partOf(href);
        const isFilled = RedirectPattern.is(source) && RedirectPattern.is(href);
        const route = anchor === "" || isFilled ? undefined : routeOfLink(href, targets);
        if (route === undefined || (at === undefined && place === undefined)) {
            return [];
        }
        return [{ ...(place ?? fileOf({ path: at ?? "" })), href, route, anchor }];
    });
}

/** Redirects to addresses of this site at which nothing is. */
function deadRedirects(redirects: readonly Redirect[], targets: LinkTargets): FoundWarning[] {
    const home = { file: htmlFileOf(homeRoute), route: homeRoute };
    return redirects.flatMap((redirect): FoundWarning[] => {
        const { source, destination, at, place } = redirect;
        const isFilled = RedirectPattern.is(source) && RedirectPattern.is(destination);
        if (isFilled || targets.forNobody.has(routeOfLink(destination, targets) ?? "")) {
            return [];
        }
        const { problem } = resolveLink(destination, home, targets);
        const reason = `the redirect from ${source} leads to ${destination}, which is not a page or a file of this site`;
        const isAuthors = at !== undefined || place !== undefined;
        return problem === undefined || !isAuthors ? [] : [{ kind: "link", ...placeOf(redirect), reason }];
    });
}

const optionalName = /^:[\w-]+[*?]$/;

function problemOf({ source, destination }: Redirect): string | undefined {
    if (hasPatternInGroup(source) || /:\w+\(|[{}]|\*\*/.test(source)) {
        return "only * and names such as :slug, :slug*, :slug+ and :slug? are supported as patterns";
    }
    if (placeOfSource(source) === "" && !source.startsWith("/")) {
        return "its source is empty";
    }
    const ofTarget = problemOfTarget(destination);
    if (ofTarget !== undefined) {
        return ofTarget;
    }
    const parts = source.split("/");
    if (parts.some((part) => /^\.\.?$/.test(part))) {
        return "its source must not have . or .. between slashes";
    }
    if (parts.some((part) => !optionalName.test(part) && /[?#]/.test(part))) {
        return "its source must not have a query or an anchor";
    }
    if (parts.some((part) => !/^:[\w-]+[*+?]?$/.test(part) && /:\w+[*+]/.test(part))) {
        return "a name with *, + or ? must be a whole part of the address";
    }
    if (parts.filter((part) => optionalName.test(part)).length > maxOptional) {
        return `at most ${maxOptional} names may be optional`;
    }
    return RedirectPattern.is(source)
        ? new RedirectPattern(withoutQuestionMarks(source)).problemWith(destination)
        : undefined;
}

function hasPatternInGroup(source: string): boolean {
    const groups = source.split(")").slice(0, -1);
    return groups.some((part) => part.includes("(") && /[|\\*+?.[\]]/.test(part.slice(part.indexOf("("))));
}

/** The redirect with all names, and then without the optional ones. */
function formsOf(redirect: Redirect): Redirect[] {
    const parts = redirect.source.split("/");
    const optional = parts.findIndex((part) => optionalName.test(part));
    const part = parts[optional];
    if (part === undefined) {
        return [redirect];
    }
    const name = part.slice(1, -1);
    // This form has no setting, because an author may mean only the other form.
    const without: Redirect = {
        permanent: redirect.permanent,
        source: parts.filter((_, at) => at !== optional).join("/") || "/",
        destination: withoutName(redirect.destination, name),
    };
    // A zero byte marks a name whose absence is already a form.
    const present = { ...redirect, source: parts.with(optional, `:${name}\0${part.slice(-1)}`).join("/") };
    return [...formsOf(present), ...(placeOfSource(without.source) === "" ? [] : formsOf(without))]
        .map((form) => ({ ...form, source: withoutQuestionMarks(form.source.replaceAll("\0", "")) }))
        .filter(({ source, destination }) => placeOfSource(source) !== placeOfSource(destination));
}

function withoutQuestionMarks(source: string): string {
    return source.replace(/(:[\w-]+)\?(?=\/|$)/g, "$1");
}

/** @returns the destination without the name, and without the slash in front of it */
function withoutName(destination: string, name: string): string {
    const absent = destination.replace(new RegExp(`/?:${name}(?![\\w-])(?:[*+]|\\?(?=[/#]|$))?`, "g"), "");
    return absent === "" ? "/" : absent;
}

/** The addresses through which a redirect leads back to itself, or leads on without an end. */
function loopFrom({ source }: Redirect, redirects: Redirects, exists: (place: string) => boolean): string | undefined {
    const start = placeOfSource(new RedirectPattern(source).fill(source, () => "x"));
    const seen = [start];
    while (seen.length <= maxSteps) {
        const next = redirects.find(seen.at(-1) ?? "");
        const place = next?.startsWith("/") === true ? placeOfSource(withoutQuery(next)) : undefined;
        if (place === undefined || exists(place) || (place !== start && seen.includes(place))) {
            return undefined;
        }
        seen.push(place);
        if (place === start) {
            break;
        }
    }
    const shown = seen.slice(0, shownSteps).map((each) => `/${each}`);
    return [...shown, ...(seen.length > shownSteps ? ["…"] : [])].join(" → ");
}

/** A redirect that leads to this many others has no end. */
const maxSteps = 20;

const shownSteps = 4;
