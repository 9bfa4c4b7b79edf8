import {
    answer,
    exportCounts,
    type Field,
    list,
    member,
    object,
    optional,
    type Received,
    removedSite,
    site,
    string,
    usage,
} from "@pulumi-static-export/contract/api";
import { ApiCalls } from "../http/admin-api.js";
import type { CallOptions } from "../http/call-options.js";
import { pathSegment } from "../http/settings.js";

/** A site of the self-hosted service, with its last export. */
export type ServiceSite = Received<typeof site>;

/** What a site or a key has exported. */
export type ExportCounts = Received<typeof exportCounts>;

const sitePage = object({ sites: list(object(site)), next: optional(string()) });

const pageSize = 1000;
const context = { subject: "administration" } as const;

/** The sites of the self-hosted service; not part of the contract. */
export class Sites extends ApiCalls {
    /** All sites that the key may see, those that need attention first. Retried. */
    async list(filter: { search?: string; state?: string } = {}, options: CallOptions = {}): Promise<ServiceSite[]> {
        const sites: ServiceSite[] = [];
        for (let cursor: string | undefined = "0"; cursor !== undefined;) {
            const query = new URLSearchParams({ ...filter, limit: String(pageSize), cursor });
            const page: ReturnType<typeof sitePage.read> = await this.#get(
                `/v1/sites?${query.toString()}`,
                options,
                sitePage,
            );
            sites.push(...page.sites);
            cursor = page.next;
        }
        return sites;
    }

    /** The stored bundles of each domain, the largest first. Retried. */
    async usage(options: CallOptions = {}): Promise<{ domain: string; bundles: number; bytes: number }[]> {
        return this.#get("/v1/usage", options, member("sites", list(object(usage))));
    }

    /** @param days - how many days to count, 1 to 90. Retried. */
    async statistics(by: "site" | "key", days: number, options: CallOptions = {}): Promise<ExportCounts[]> {
        return this.#get(`/v1/statistics?by=${by}&days=${days}`, options, member("rows", list(object(exportCounts))));
    }

    /**
     * Removes the jobs of a site that the service no longer has; their bundles follow within ten minutes. Retried.
     * @returns how many jobs are removed, and which ones still run for some seconds
     */
    async remove(domain: string, options: CallOptions = {}): Promise<{ removedJobs: number; runningJobs: string[] }> {
        const path = `/v1/sites/${pathSegment("domain", domain)}`;
        const call = {
            context: { ...context, domain },
            method: "DELETE",
            path,
            decode: answer(object(removedSite)),
        } as const;
        const { removedJobs, runningJobs = [] } = await this.api.repeat(call, options);
        return { removedJobs, runningJobs };
    }

    #get<T>(path: string, options: CallOptions, field: Field<unknown, T>): Promise<T> {
        return this.api.repeat({ context, method: "GET", path, decode: answer(field) }, options);
    }
}
