import { Redirects } from "../../plan/links/redirects.js";
import { type SitePage } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { FoundFiles, type ScannedFiles } from "../../read/files/found-files.js";
import { type Redirect } from "../../read/settings/setting-values.js";
import { type ThemeFiles } from "../../render/layout/theme-files.js";
import { getOrMake } from "../../text/get-or-make.js";
import { type SitePart } from "../pages/site-part.js";

/** A page without its text, which a worker receives with the request to write the page. */
export type PackedPage = Omit<SitePage, "source"> & { source: string };

type PackedTargets = Omit<SitePlan["targets"], "redirects" | "onAsset"> & { readonly redirects: readonly Redirect[] };

interface PackedPlan extends Omit<SitePlan, "content" | "targets" | "pages" | "own"> {
    readonly targets: PackedTargets;
    readonly pages: readonly PackedPage[];
}

/** The plans of a site's parts as data that can be sent to another thread. */
export interface PackedSite {
    readonly files: ScannedFiles;
    readonly theme: ThemeFiles;
    readonly plans: readonly PackedPlan[];
}

export function packSite([{ theme, plan: first }, ...others]: readonly [SitePart, ...SitePart[]]): PackedSite {
    const packed = new Map<SitePage, PackedPage>();
    const pack = (page: SitePage) => getOrMake(packed, page, () => packPage(page));
    // Plans share collections, and a copy for each plan would take much memory.
    const known = new Map<unknown, unknown>();
    const share = <T extends object>(shared: T, make: () => T) => getOrMake(known, shared, make) as T;
    const packMap = (pages: SitePlan["byRoute"]) =>
        share(pages, () => new Map([...pages].map(([route, page]) => [route, pack(page)])));
    const packPlan = ({ content, own, targets, pages, byRoute, ...plan }: SitePlan): PackedPlan => ({
        ...plan,
        pages: pages.map(pack),
        byRoute: packMap(byRoute),
        targets: share<object>(targets, () => {
            const { redirects, onAsset, exported, ...others } = targets;
            const all = packMap(others.pages as SitePlan["byRoute"]);
            return {
                ...others,
                pages: all,
                exported: exported === targets.pages ? all : new Set(exported.keys()),
                redirects: redirects.all,
            };
        }) as PackedTargets,
    });
    return { files: first.content.share(), theme, plans: [first, ...others.map(({ plan }) => plan)].map(packPlan) };
}

/** The plans as workers use them; their pages have no text yet. */
export function unpackPlans({ files, plans }: PackedSite): (SitePlan & { readonly pages: readonly PackedPage[] })[] {
    const content = new FoundFiles(files.root, files.files);
    return plans.map((plan) => ({
        ...plan,
        content,
        // Only the main thread needs to know which part writes a page.
        own: new Set<string>(),
        targets: { ...plan.targets, redirects: new Redirects(plan.targets.redirects) },
    }));
}

function packPage({ route, file, hasSource, meta, title, label, problems, subject, cacheKey }: SitePage): PackedPage {
    return { route, file, hasSource, meta, title, label, problems, subject, cacheKey, source: "" };
}
