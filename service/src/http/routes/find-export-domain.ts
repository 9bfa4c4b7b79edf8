import { canonicalDomain } from "@pulumi-static-export/contract";
import { type Site } from "../../exports/site.js";
import { type Preview } from "../../exports/site-job.js";
import { type SiteJobStore } from "../../exports/site-job-store.js";
import { findPreviewedSite, type PreviewDomains } from "../../updates/previews.js";
import { type Caller, describeReach, maySee } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";

export interface ExportDomains {
    store: SiteJobStore;
    /** The sites that can be exported, by canonical domain. */
    sites: ReadonlyMap<string, Site>;
    previewDomains: PreviewDomains;
}

/** @throws RequestError for a domain that the caller cannot export */
export async function findExportDomain(
    name: string,
    caller: Caller,
    { store, sites, previewDomains }: ExportDomains,
): Promise<{ domain: string; preview?: Preview }> {
    const domain = canonicalDomain(name);
    const own = [...sites.keys()].filter((each) => maySee(caller, each));
    if (own.length === 0) {
        throw new RequestError(403, describeReach(caller));
    }
    if (own.includes(domain)) {
        return { domain };
    }
    const site = findPreviewedSite(domain, previewDomains);
    if (site === undefined || !own.includes(site)) {
        throw new RequestError(
            403,
            `Static export is not enabled for ${domain}. The enabled domains are: ${nameSome(own)}.`,
        );
    }
    const preview = await store.findPreview(domain);
    if (preview?.of !== site) {
        const reason = `No preview of a branch of ${site} has succeeded for ${domain}.`;
        throw new RequestError(403, `${reason} Start one with POST /v1/project/preview/${site}, and wait for it.`);
    }
    return { domain, preview };
}

const namedSites = 20;

/** Names only the first sites, so that the size of an answer does not depend on the number of sites. */
function nameSome(domains: readonly string[]): string {
    const others = domains.length - namedSites;
    return others > 0 ? `${domains.slice(0, namedSites).join(", ")} and ${others} others` : domains.join(", ");
}
