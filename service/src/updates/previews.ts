import { createHash } from "node:crypto";
import { beginningOf, canonicalDomain, isDomain } from "@pulumi-static-export/contract";
import { type Site } from "../exports/site.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** The domain below which the branches of a site are previewed, by the site's canonical domain. */
export type PreviewDomains = ReadonlyMap<string, string>;

/** @throws ServiceOptionsError */
export function resolvePreviewDomains(
    given: Readonly<Record<string, string>> = {},
    sites: ReadonlyMap<string, Site>,
): PreviewDomains {
    const resolved = new Map<string, string>();
    for (const [name, place] of Object.entries(given)) {
        const [domain, below] = [canonicalDomain(name), canonicalDomain(place)];
        const site = sites.get(domain);
        if (site === undefined) {
            throw new ServiceOptionsError(
                `Preview domain ${place}: ${name} is not a site of this service. Its sites are: ${[...sites.keys()].join(", ")}.`,
            );
        }
        if (typeof site.source === "string") {
            throw new ServiceOptionsError(
                `Preview domain ${place}: site ${name} is a folder and has no branches. Name its repository as the site, ` +
                    "such as git+https://git.example.com/acme/docs.git#main.",
            );
        }
        if (!isDomain(below) || !isDomain(`${"a".repeat(maxLabelLength)}.${below}`)) {
            throw new ServiceOptionsError(
                `Preview domain "${place}" must be a host name such as previews.example.com, with room for a branch's name.`,
            );
        }
        const taken = [...resolved.values()].includes(below);
        const neighbour = [...sites.keys()].find((each) => parentOf(each) === below);
        if (taken || neighbour !== undefined) {
            const other = taken
                ? "the domain already has the previews of another site"
                : `the domain already contains site ${neighbour}`;
            throw new ServiceOptionsError(`Preview domain ${place}: ${other}. Choose another domain for ${name}.`);
        }
        resolved.set(domain, below);
    }
    return resolved;
}

/** The maximum length of a label in a host name. */
const maxLabelLength = 63;
const digestLength = 10;
const maxTextLength = maxLabelLength - digestLength - 1;

/**
 * The domain of a branch's preview. Different branches have different domains: a digest is appended if the name alone
 * does not identify the branch.
 */
export function previewDomainOf(branch: string, below: string): string {
    const text = branch
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "");
    if (text === branch && text.length <= maxTextLength && !/-[0-9a-f]{10}$/.test(text)) {
        return `${text}.${below}`;
    }
    const digest = createHash("sha256").update(branch).digest("hex").slice(0, digestLength);
    const start = beginningOf(text, maxTextLength).replace(/-$/, "") || "branch";
    return `${start}-${digest}.${below}`;
}

/** The site to whose previews the domain belongs; undefined if there is none. */
export function findPreviewedSite(domain: string, previewDomains: PreviewDomains): string | undefined {
    const parent = parentOf(domain);
    return [...previewDomains].find(([, below]) => below === parent)?.[0];
}

function parentOf(domain: string): string {
    return domain.slice(domain.indexOf(".") + 1);
}
