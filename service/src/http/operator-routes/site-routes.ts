import { amount, canonicalDomain } from "@pulumi-static-export/contract";
import { type GoneSites } from "../../exports/gone-sites.js";
import { type Site } from "../../exports/site.js";
import { type SiteOverview, siteStates, type SiteSummary } from "../../history/site-overview.js";
import { type ServiceLogger } from "../../shared/logger.js";
import { assertUnlimited, type Caller, describeKey, maySee } from "../protocol/caller.js";
import { ListSitesQuery, SiteParams } from "../protocol/operator-requests.js";
import { RequestError } from "../protocol/request-error.js";
import { errorAnswers, Shared } from "../protocol/schemas.js";
import { type App } from "../protocol/typed-app.js";
import { type JobAnswers } from "./job-answers.js";

export interface SiteRoutesOptions {
    /** By canonical domain. */
    sites: ReadonlyMap<string, Site>;
    overview: SiteOverview;
    answers: JobAnswers;
    goneSites: Pick<GoneSites, "purge">;
    /** Stops the run of a cancelled job, if it runs in this process. */
    stop: (jobId: string) => Promise<void>;
    logger: ServiceLogger;
}

const security = [{ adminApiKey: [] }];
const tags = ["Sites"];
const defaultLimit = 20;

export function addSiteRoutes(app: App, options: SiteRoutesOptions): void {
    const { sites, overview, answers, goneSites, stop, logger } = options;
    const ownSites = (caller: Caller): ReadonlyMap<string, Site> =>
        new Map([...sites].filter(([domain]) => maySee(caller, domain)));

    const answerOf = async (summaries: readonly SiteSummary[]) => {
        const jobs = summaries.flatMap(({ lastExport, lastUpdate, unfinished }) =>
            [lastExport, lastUpdate, ...unfinished].filter((job) => job !== undefined),
        );
        const byId = new Map((await answers.of(jobs)).map((job) => [job.jobId, job]));
        return summaries.map(({ domain, source, state, lastExport, lastUpdate, unfinished }) => ({
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
            state,
            lastExport: byId.get(lastExport?.jobId ?? "") ?? null,
            lastUpdate: byId.get(lastUpdate?.jobId ?? "") ?? null,
            unfinished: unfinished.map(({ jobId }) => byId.get(jobId)).filter((job) => job !== undefined),
        }));
    };

    app.get(
        "/v1/sites",
        {
            config: { operation: "sites", scopes: ["read", "export", "update"] },
            schema: {
                operationId: "listSites",
                summary: "List sites with their last export, those that need attention first",
                tags,
                security,
                querystring: ListSitesQuery,
                response: {
                    200: Shared("SiteList", "The sites of the key, as of the last second."),
                    ...errorAnswers(400, 401, 403, 500, 503),
                },
            },
        },
        async ({ query, caller }) => {
            const { search = "", state, limit = defaultLimit, cursor = "0" } = query;
            const found = (await overview.list(ownSites(caller))).filter(({ domain }) =>
                domain.includes(search.trim().toLowerCase()),
            );
            const wanted = state === undefined ? found : found.filter((site) => site.state === state);
            const end = Number(cursor) + Number(limit);
            const counts = siteStates.map((each) => [each, found.filter((site) => site.state === each).length]);
            return {
                sites: await answerOf(wanted.slice(Number(cursor), end)),
                total: wanted.length,
                states: Object.fromEntries(counts) as Record<string, number>,
                next: end < wanted.length ? String(end) : null,
            };
        },
    );

    app.get(
        "/v1/sites/:domain",
        {
            config: { operation: "site", scopes: ["read", "export", "update"] },
            schema: {
                operationId: "getSite",
                summary: "Get a site with its last export",
                tags,
                security,
                params: SiteParams,
                response: {
                    200: Shared("Site", "The site, as of the last second."),
                    ...errorAnswers(401, 403, 404, 500, 503),
                },
            },
        },
        async ({ params, caller }) => {
            const domain = canonicalDomain(params.domain);
            const site = ownSites(caller).get(domain);
            if (site === undefined) {
                throw new RequestError(404, `There is no site ${domain} that this key can see.`);
            }
            const summaries = await overview.list(new Map([[domain, site]]));
            return (await answerOf(summaries))[0];
        },
    );

    app.delete(
        "/v1/sites/:domain",
        {
            config: { operation: "site-remove", scopes: ["keys"] },
            schema: {
                operationId: "removeSite",
                summary: "Remove everything that is left of a site which the service no longer has",
                tags,
                security,
                params: SiteParams,
                response: {
                    200: Shared("RemovedSite", "The jobs are removed, and their bundles follow within ten minutes."),
                    ...errorAnswers(401, 403, 404, 409, 500, 503),
                },
            },
        },
        async (request) => {
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
                throw new RequestError(404, `There is nothing left of a site ${domain}.`);
            }
            await Promise.all(running.map(stop));
            logger.info(
                `${describeKey(caller)} removed what was left of site ${domain}: ${amount(removed, "job", "jobs")}.`,
                {
                    request: request.id,
                },
            );
            return { domain, removedJobs: removed, runningJobs: running };
        },
    );
}
