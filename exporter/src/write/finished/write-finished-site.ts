import { accessFile, bundleFactsFile, type BundleFacts, defaultBundleLimits } from "@pulumi-static-export/contract";
import { placeOfSite, withinBasePath } from "../../plan/base-path.js";
import { RedirectPattern } from "../../plan/links/redirect-pattern.js";
import { problemOfTarget, Redirects } from "../../plan/links/redirects.js";
import { type SiteOptions } from "../../plan/site-plan.js";
import { type PageWork } from "../../plan/site-pages.js";
import { SiteError } from "../../problems/site-error.js";
import { type WarningKind, type WarningLog, type SiteWarning } from "../../problems/warning-log.js";
import {
    belowBasePath,
    canonicalUrl,
    encodePath,
    homeRoute,
    htmlFileOf,
    relativeHref,
    type SiteAddress,
    siteUrl,
} from "../../read/files/routes.js";
import { type SourceFiles } from "../../read/files/source-files.js";
import { defaultDeployment } from "../../read/settings/deployment.js";
import { type Redirect } from "../../read/settings/setting-values.js";
import { redirectMap, routeOfRedirectPage } from "../generated/redirect-files.js";
import { writeRedirect } from "../generated/redirect-page.js";
import { writeVersion, type SiteOutput, withNames, writeAll } from "../output/site-output.js";
import { ExportNames } from "../output/export-names.js";
import { ReadersList } from "../output/readers-list.js";
import { LinkCheck } from "./link-check.js";
import { SiteAddresses } from "./site-addresses.js";

/** The size above which some hosts, such as Cloudflare Pages, refuse a file. */
const maxHostedBytes = 25 * 1024 * 1024;

const htmlFile = /\.html?$/i;

interface FinishedSiteWork extends Pick<PageWork, "yieldToEventLoop" | "onPage"> {
    readonly warnings: WarningLog;
    readonly onDone: (pagesDone: number, pagesTotal: number) => void;
}

/** Reports options that finished HTML cannot have. `--strict` ignores them, because a service sets them for all sites. */
export function reportOptionsWithoutEffect({ privatePages, answer }: SiteOptions, warnings: WarningLog): void {
    const warn = (kind: WarningKind, reason: string) => warnings.add({ kind, file: ".", line: undefined, reason });
    if (privatePages === "keep-apart") {
        warn("access", "--access has no effect on finished HTML: everybody may read all of its files");
    }
    if (answer === true) {
        warn("settings", "--answer has no effect on finished HTML: it has no search index and no Markdown pages");
    }
}

/**
 * Writes the files of a builder's output unchanged, and checks their links. Adds redirects for servers, and a file for
 * programs that check a bundle.
 * @returns the number of pages
 * @throws SiteError
 */
export async function writeFinishedSite(
    options: SiteOptions & { readonly version?: string },
    files: SourceFiles,
    destination: SiteOutput,
    { warnings, onDone, onPage, yieldToEventLoop }: FinishedSiteWork,
): Promise<number> {
    const { domain, privatePages, deployment = defaultDeployment } = options;
    const { assets, content, problems } = files;
    const htmlFiles = assets.filter((file) => htmlFile.test(file));
    assertExportable(files, options.paths);
    const warn = (kind: WarningKind, file: string, reason: string): void =>
        warnings.add({ kind, file, line: undefined, reason });
    problems.forEach(({ file, reason }) => warn("file", file, reason));
    files.warnings.forEach((warning) => warnings.add(warning));
    const { basePath } = placeOfSite({ domain, basePath: options.basePath }, undefined);
    const site = { domain, basePath };
    const written = assets.includes(hostRedirectsFile)
        ? readHostRedirects(content.readText(hostRedirectsFile), (warning) => warnings.add(warning))
        : [];
    const { redirects = [] } = withinBasePath({ redirects: written }, basePath);
    const addresses = new SiteAddresses(site, new Set(assets), new Redirects(redirects));
    const check = new LinkCheck(addresses, (warning) => warnings.add(warning));
    const names = new ExportNames({ basePath, pages: new Map(), exported: new Set() });
    const root = names.checked(destination);
    const output = withNames(root, (file) => belowBasePath(basePath, file));
    let pagesDone = 0;
    onDone(pagesDone, htmlFiles.length);
    for (const file of assets) {
        await yieldToEventLoop();
        const isHtml = htmlFile.test(file);
        if (content.bytesOf(file) > maxHostedBytes) {
            const unchecked = isHtml ? ", and its links are not checked" : "";
            warn("file", file, `the file is larger than 25 MiB, which some hosts refuse${unchecked}`);
        } else if (isHtml) {
            onPage?.(file);
            check.addPage(file, content.readText(file, maxHostedBytes));
        } else if (file.endsWith(".css")) {
            check.addStyles(file, content.readText(file, maxHostedBytes));
        }
        await output.copy(file, content.open(file));
        pagesDone += Number(isHtml);
        onDone(pagesDone, htmlFiles.length);
    }
    onPage?.(undefined);
    check.finish();
    // A page `guide/index.html` is at the address `guide`.
    const routes = htmlFiles.flatMap((file) => [file.replace(htmlFile, ""), file.replace(/\/index\.html$/, "")]);
    const targets = { basePath, assets: new Set(assets), exported: new Set(routes) };
    await writeAll(root, redirectMap({ settings: { redirects }, targets }));
    if (basePath !== "") {
        const start = belowBasePath(basePath, htmlFileOf(homeRoute));
        await root.write("index.html", writeRedirect(start, canonicalUrl(site, homeRoute)));
        for (const file of ["404.html", "robots.txt"].filter((name) => assets.includes(name))) {
            await root.copy(file, content.open(file));
        }
    }
    const facts: BundleFacts = {
        ...{ version: 1, domain, basePath, deployment, pages: check.pages.size, privatePages: 0 },
        features: { documentationSearch: false, aiAssistant: false, webAnalytics: false, apiPlayground: false },
        ...{ services: [], apiServers: [], aiTools: [] },
        embeds: [...check.hosts].filter((host) => host !== domain).sort(),
    };
    await writeVersion(root, options.version);
    await root.write(bundleFactsFile, `${JSON.stringify(facts, undefined, 2)}\n`);
    await writeAll(
        output,
        redirectPages(redirects, site, { addresses, names, taken: new Set([...assets, ...routes]) }),
    );
    if (privatePages === "keep-apart") {
        await root.write(accessFile, new ReadersList().text);
    }
    return check.pages.size;
}

/** @throws SiteError */
function assertExportable({ assets, content }: SourceFiles, paths: readonly string[] | undefined): void {
    if (paths !== undefined) {
        throw new SiteError("paths", undefined, "finished HTML is exported as a whole: leave the paths out");
    }
    if (!assets.includes("index.html")) {
        throw new SiteError(".", undefined, "the folder of finished HTML has no index.html");
    }
    const bytes = assets.reduce((sum, file) => sum + content.bytesOf(file), 0);
    const { maxFiles, maxBytes } = defaultBundleLimits;
    if (assets.length > maxFiles || bytes > maxBytes) {
        const reason =
            `the folder has ${assets.length} files with ${bytes} bytes, but a bundle may have at most ${maxFiles} ` +
            `files and ${maxBytes} bytes`;
        throw new SiteError(".", undefined, reason);
    }
}

/** Pages that redirect, for hosts that do not read the map. A page or file at the address takes precedence. */
function* redirectPages(
    redirects: readonly Redirect[],
    site: SiteAddress,
    {
        addresses,
        names,
        taken,
    }: { readonly addresses: SiteAddresses; readonly names: ExportNames; readonly taken: ReadonlySet<string> },
): Generator<[file: string, html: string]> {
    for (const { source, destination } of redirects) {
        const route = routeOfRedirectPage(source);
        if (route === undefined) {
            continue;
        }
        const file = htmlFileOf(route);
        const isFree = ![route, file].some((name) => taken.has(name)) && names.isFree(file);
        const target = addresses.targetOf(destination, htmlFileOf(homeRoute));
        if (isFree && target.kind === "file") {
            const href = relativeHref(route, target.file) + (target.anchor && `#${encodeURIComponent(target.anchor)}`);
            yield [file, writeRedirect(href, siteUrl(site, encodePath(target.file)))];
        }
    }
}

/** The redirects of a finished site, as builders write them for Netlify and Cloudflare Pages. */
const hostRedirectsFile = "_redirects";

const redirectStatus = /^(30[12378])!?$/;

/** Reads one redirect from each line, such as `/news/* /blog/:splat 301`. */
function readHostRedirects(text: string, warn: (warning: SiteWarning) => void): Redirect[] {
    return text.split("\n").flatMap((line, index): Redirect[] => {
        const words = line.replace(/(?:^|\s)#[^]*$/, "").trim();
        if (words === "") {
            return [];
        }
        const [source = "", destination = "", status = "301", ...others] = words.split(/\s+/);
        const code = redirectStatus.exec(status)?.[1];
        const isPath = source.startsWith("/") && !/\*.|\/\.{1,2}(?:\/|$)/.test(source);
        if (!isPath || destination === "" || code === undefined || others.length > 0) {
            const reason =
                "this line has no effect: an export redirects from a path to an address, with status 301, 302, 303, " +
                "307 or 308, and without conditions";
            warn({ kind: "file", file: hostRedirectsFile, line: index + 1, reason });
            return [];
        }
        const pattern = source.replace(/\*$/, ":splat*");
        const problem =
            problemOfTarget(destination) ??
            (RedirectPattern.is(pattern) ? new RedirectPattern(pattern).problemWith(destination) : undefined);
        if (problem !== undefined) {
            const reason = `this line has no effect: ${problem}`;
            warn({ kind: "file", file: hostRedirectsFile, line: index + 1, reason });
            return [];
        }
        return [{ source: pattern, destination, permanent: code === "301" || code === "308" }];
    });
}
