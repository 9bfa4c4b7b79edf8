import { ApiCalls } from "../http/admin-api.js";
import type { CallOptions } from "../http/call-options.js";
import {
    type Clean,
    decodeDateTime,
    decodeId,
    decodeNumber,
    decodeObject,
    decodeText,
    type JsonObject,
    decodeList,
} from "../http/decode.js";
import { pathSegment } from "../http/settings.js";

/** A site of the self-hosted service, with its last export. */
export interface SiteRecord {
    domain: string;
    /** `failed`, `stale` (the last export is older than the published commit), `never`, `running`, … */
    state: string;
    /** Null for a site without exports. */
    lastExport: { jobId: string; updatedAt: string; pageCount: number } | null;
}

/** What a site or a key has exported. */
export interface ExportCounts {
    /** The domain, or the name of the key. */
    name: string;
    exports: number;
    failed: number;
    /** The pages of the completed exports. */
    pages: number;
}

const pageSize = 1000;
const context = { subject: "administration" } as const;

/** The sites of the self-hosted service; not part of the contract. */
export class Sites extends ApiCalls {
    /** All sites that the key may see, those that need attention first. Retried. */
    async list(filter: { search?: string; state?: string } = {}, options: CallOptions = {}): Promise<SiteRecord[]> {
        const sites: SiteRecord[] = [];
        for (let cursor: string | undefined = "0"; cursor !== undefined;) {
            const query = new URLSearchParams({ ...filter, limit: String(pageSize), cursor });
            const decode = (object: JsonObject, clean: Clean) => ({
                sites: decodeList(object, "sites", (site) => decodeSite(site, clean)),
                next: typeof object["next"] === "string" ? object["next"] : undefined,
            });
            const page: ReturnType<typeof decode> = await this.#get(`/v1/sites?${query.toString()}`, options, decode);
            sites.push(...page.sites);
            cursor = page.next;
        }
        return sites;
    }

    /** The stored bundles of each domain, the largest first. Retried. */
    async usage(options: CallOptions = {}): Promise<{ domain: string; bundles: number; bytes: number }[]> {
        return this.#get("/v1/usage", options, (object, clean) =>
            decodeList(object, "sites", (site) => ({
                domain: decodeText(site, "domain", clean),
                bundles: decodeNumber(site, "bundles"),
                bytes: decodeNumber(site, "bytes"),
            })),
        );
    }

    /** @param days - how many days to count, 1 to 90. Retried. */
    async statistics(by: "site" | "key", days: number, options: CallOptions = {}): Promise<ExportCounts[]> {
        return this.#get(`/v1/statistics?by=${by}&days=${days}`, options, (object, clean) =>
            decodeList(object, "rows", (row) => ({
                name: decodeText(row, "name", clean),
                exports: decodeNumber(row, "exports"),
                failed: decodeNumber(row, "failed"),
                pages: decodeNumber(row, "pages"),
            })),
        );
    }

    /**
     * Removes the jobs of a site that the service no longer has; their bundles follow within ten minutes. Retried.
     * @returns how many jobs are removed, and which ones still run for some seconds
     */
    async remove(domain: string, options: CallOptions = {}): Promise<{ removedJobs: number; runningJobs: string[] }> {
        const path = `/v1/sites/${pathSegment("domain", domain)}`;
        const decode = (answer: unknown, clean: Clean) => {
            const object = decodeObject(answer);
            const running = object["runningJobs"];
            return {
                removedJobs: decodeNumber(object, "removedJobs"),
                runningJobs: Array.isArray(running) ? running.map((jobId) => clean(String(jobId))) : [],
            };
        };
        return this.api.repeat({ context: { ...context, domain }, method: "DELETE", path, decode }, options);
    }

    #get<T>(path: string, options: CallOptions, decode: (object: JsonObject, clean: Clean) => T): Promise<T> {
        return this.api.repeat(
            { context, method: "GET", path, decode: (answer, clean) => decode(decodeObject(answer), clean) },
            options,
        );
    }
}

function decodeSite(site: JsonObject, clean: Clean): SiteRecord {
    const last = site["lastExport"] ?? null;
    const job = last === null ? undefined : decodeObject(last, "lastExport");
    return {
        domain: decodeText(site, "domain", clean),
        state: decodeText(site, "state", clean),
        lastExport:
            job === undefined
                ? null
                : {
                      jobId: decodeId(job, "jobId", clean),
                      updatedAt: decodeDateTime(job, "updatedAt"),
                      pageCount: decodeNumber(job, "pageCount"),
                  },
    };
}
