import { amount, canonicalDomain, siteStates } from "@pulumi-static-export/contract";
import { type GoneSites } from "../../exports/gone-sites.js";
import { type Site } from "../../exports/site.js";
import { type SiteOverview, type SiteSummary } from "../../history/site-overview.js";
import { type AuditLog } from "../../history/audit-log.js";
import { assertUnlimited, type Caller, logAct, maySee } from "../protocol/caller.js";
import { ListSitesQuery, SiteParams } from "../protocol/operator-requests.js";
import { RequestError } from "../protocol/request-error.js";
import { searchedHost } from "../protocol/searched-host.js";
import { routesOf } from "../protocol/route.js";
import { type PreviewDomains } from "../../updates/previews.js";
import { type JobStarters } from "./job-starters.js";

interface SiteRoutesOptions {
    /** By canonical domain. */
    sites: ReadonlyMap<string, Site>;
    overview: SiteOverview;
    previewDomains: PreviewDomains;
    answers: JobStarters;
    goneSites: Pick<GoneSites, "purge">;
    /** Stops the run of a cancelled job, if it runs in this process. */
    stop: (jobId: string) => Promise<void>;
    audit: AuditLog;
}

const route = routesOf<SiteRoutesOptions>("Sites");
const defaultLimit = "20";

const listSites = route({
    at: "GET /v1/sites",
    operation: "sites",
    scopes: ["read", "export", "update"],
    id: "listSites",
    summary: "List sites with their last export, those that need attention first",
    request: { querystring: ListSitesQuery },
    answer: [200, "SiteList", "The sites of the key. The data is at most a second old."],
    handle: async ({ query, caller }, context) => {
        const { sites, overview } = context;
        const { search = "", state, cursor = "0", limit = defaultLimit } = query;
        const found = (await overview.list(ownSites(caller, sites))).filter(({ domain }) =>
            domain.includes(searchedHost(search)),
        );
        const wanted = state === undefined ? found : found.filter((site) => site.state === state);
        const end = Number(cursor) + Number(limit);
        const counts = siteStates.map((each) => [each, found.filter((site) => site.state === each).length]);
        return {
            sites: await answerOf(wanted.slice(Number(cursor), end), context),
            total: wanted.length,
            states: Object.fromEntries(counts) as Record<string, number>,
            next: end < wanted.length ? String(end) : null,
        };
    },
});

const getSite = route({
    at: "GET /v1/sites/:domain",
    operation: "site",
    scopes: ["read", "export", "update"],
    id: "getSite",
    summary: "Get a site with its last export",
    request: { params: SiteParams },
    answer: [200, "Site", "The site. The data is at most a second old."],
    errors: [404],
    handle: async ({ params, caller }, context) => {
        const { sites, overview } = context;
        const domain = canonicalDomain(params.domain);
        const site = ownSites(caller, sites).get(domain);
        const summaries = site === undefined ? [] : await overview.list(new Map([[domain, site]]));
        const [answer] = await answerOf(summaries, context);
        if (answer === undefined) {
            throw new RequestError(404, `There is no site ${domain} that this key can see.`);
        }
        return answer;
    },
});

const removeSite = route({
    at: "DELETE /v1/sites/:domain",
    operation: "site-remove",
    scopes: ["keys"],
    id: "removeSite",
    summary: "Remove the remaining jobs and bundles of a site that was removed from the service",
    request: { params: SiteParams },
    answer: [200, "RemovedSite", "The jobs are removed, and their bundles follow within ten minutes."],
    errors: [404, 409],
    handle: async (request, { sites, overview, goneSites, stop, audit }) => {
        const { caller, params } = request;
        assertUnlimited(caller);
        const domain = canonicalDomain(params.domain);
        if (sites.has(domain)) {
            throw new RequestError(
                409,
                `The service still has the site ${domain}: remove it from --site or the sites file first.`,
            );
        }
        const { removed, running } = await goneSites.purge(domain);
        overview.forget(domain);
        if (removed + running.length === 0) {
            throw new RequestError(404, `No jobs or bundles of a site ${domain} remain.`);
        }
        logAct(audit, request, `removed the remaining jobs of site ${domain}: ${amount(removed, "job", "jobs")}`);
        await Promise.all(running.map(stop));
        return { domain, removedJobs: removed, runningJobs: running };
    },
});

export const siteRoutes = [listSites, getSite, removeSite];

function ownSites(caller: Caller, sites: ReadonlyMap<string, Site>): ReadonlyMap<string, Site> {
    return new Map([...sites].filter(([domain]) => maySee(caller, domain)));
}

async function answerOf(summaries: readonly SiteSummary[], { sites, previewDomains, answers }: SiteRoutesOptions) {
    const jobs = summaries.flatMap(({ lastExport, lastUpdate, unfinished }) =>
        [lastExport, lastUpdate, ...unfinished].filter((job) => job !== undefined),
    );
    const byId = new Map((await answers.of(jobs)).map((job) => [job.jobId, job]));
    return summaries.map(({ domain, source, state, lastExport, lastUpdate, unfinished }) => {
        const site = sites.get(domain);
        const previewsBelow = previewDomains.get(domain);
        return {
            domain,
            source:
                typeof source === "string"
                    ? { kind: "folder" as const }
                    : {
                          kind: "repository" as const,
                          url: source.url,
                          ...(source.branch === undefined ? {} : { branch: source.branch }),
                          folder: source.folder,
                      },
            ...(site?.basePath === undefined ? {} : { basePath: site.basePath }),
            hasBuilder: site?.build !== undefined,
            ...(previewsBelow === undefined ? {} : { previewsBelow }),
            state,
            lastExport: byId.get(lastExport?.jobId ?? "") ?? null,
            lastUpdate: byId.get(lastUpdate?.jobId ?? "") ?? null,
            unfinished: unfinished.map(({ jobId }) => byId.get(jobId)).filter((job) => job !== undefined),
        };
    });
}
