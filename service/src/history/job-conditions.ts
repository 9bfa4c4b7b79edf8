import { foundBy, likeOf, listOf, type SqlValues } from "../database/database.js";
import { partsOf } from "./failure-reasons.js";
import { requestColumns, type ShownStatus, type SiteJobKind } from "../exports/site-job.js";

export interface JobFilter {
    kind: SiteJobKind;
    /** The sites that the caller may see; null for all. */
    sites: readonly string[] | null;
    /** Only jobs of this domain, which may be the domain of a preview. */
    domain?: string;
    statuses?: readonly ShownStatus[];
    /** A key's id, `webhook`, or null for the service's own key. */
    queuedBy?: string | null;
    search?: JobSearch;
    /** Only failed or cancelled jobs whose error contains this text, in which `…` stands for any text. */
    error?: string;
    /** Only jobs that no later one repeats: with the same domain and request. */
    isUnrepeated?: boolean;
    since?: Date;
    until?: Date;
    /** Only jobs before this position, which an earlier page returned. */
    before?: number;
    limit: number;
}

/** Finds jobs by a domain, their id, their commit, or who started them. */
interface JobSearch {
    text: string;
    /** The domains that contain the text. */
    domains: readonly string[];
}

/** Up to this many sites, the newest jobs of each are found first; with more, a search by time is quicker. */
const fewSites = 50;

/** A search looks at so many jobs of a commit. */
const maxJobsOfCommit = 1000;

/** The condition and the values of a filter, which reads an index from its newest entry. */
export function conditionOf(filter: JobFilter): { condition: string; values: SqlValues } {
    const { sites, domain } = filter;
    const { conditions, values } = conditionsOf(filter);
    if (sites === null) {
        return { condition: conditions.join(" AND "), values };
    }
    const wanted = listOf("site", sites);
    const names = Object.keys(wanted.values);
    const all = { ...values, ...wanted.values };
    if (domain === undefined && names.length > 0 && names.length <= fewSites) {
        const newest = names.flatMap((name) =>
            [`job.domain = :${name} AND job.preview_of IS NULL`, `job.preview_of = :${name}`].map(
                (ofSite, place) => `SELECT sequence FROM (
                    SELECT job.sequence FROM static_export_jobs job WHERE ${[ofSite, ...conditions].join(" AND ")}
                    ORDER BY job.sequence DESC LIMIT :limit
                ) AS ${name}_${place}`,
            ),
        );
        return { condition: `job.sequence IN (${newest.join(" UNION ALL ")})`, values: all };
    }
    return { condition: [isOfSites(wanted.sql), ...conditions].join(" AND "), values: all };
}

function isOfSites(names: string): string {
    return `(((job.domain || '') IN (${names}) AND job.preview_of IS NULL) OR (job.preview_of || '') IN (${names}))`;
}

/** Each way to find a job has an index, in which the newest jobs are found first. */
export function searchConditionOf(
    filter: JobFilter,
    { text, domains }: JobSearch,
    starters: readonly string[],
): { condition: string; values: SqlValues } {
    const { conditions, values } = conditionsOf(filter);
    const sites = filter.sites === null ? undefined : listOf("site", filter.sites);
    const isCommit = /^[0-9a-f]{7,64}$/i.test(text);
    const isShort = domains.length <= fewSites;
    const equal: Record<string, string> = {};
    const equalTo = (column: string, value: string): string => {
        const name = `wanted${Object.keys(equal).length}`;
        equal[name] = value;
        return `job.${column} = :${name}`;
    };
    const ways = [
        ...(isShort ? domains.map((domain) => equalTo("domain", domain)) : ["job.domain LIKE :like ESCAPE '\\'"]),
        ...starters.map((starter) => equalTo("queued_by", starter)),
        equalTo("job_id", text),
        ...(isCommit
            ? [
                  `job.sequence IN (SELECT built.sequence FROM static_export_jobs built
                    WHERE built.source_ref >= :commit AND built.source_ref < :afterCommit
                    ORDER BY built.source_ref LIMIT ${maxJobsOfCommit})`,
              ]
            : []),
    ];
    const found = ways.map(
        (way, place) => `SELECT sequence FROM (
            SELECT job.sequence FROM static_export_jobs job
            WHERE ${[way, ...(sites === undefined ? [] : [isOfSites(sites.sql)]), ...conditions].join(" AND ")}
            ORDER BY job.sequence DESC LIMIT :limit
        ) AS way_${place}`,
    );
    return {
        condition: `job.sequence IN (${found.join(" UNION ALL ")})`,
        values: {
            ...{ ...values, ...sites?.values, ...equal },
            ...(isShort ? {} : { like: likeOf(text) }),
            ...(isCommit ? { commit: text.toLowerCase(), afterCommit: `${text.toLowerCase()}g` } : {}),
        },
    };
}

function conditionsOf(filter: JobFilter): { conditions: string[]; values: SqlValues } {
    const { kind, domain, error, isUnrepeated = false, queuedBy, since, until, before } = filter;
    const { statuses = error === undefined ? [] : (["failed", "cancelled"] as const) } = filter;
    const conditions = ["job.kind = :kind"];
    const values: Record<string, string | number | null> = { kind };
    if (statuses.length > 0) {
        const stored = new Set(statuses.map((status) => (status === "cancelled" ? "failed" : status)));
        // Without the empty text of `listOf`, SQLite knows that one entry of the index of statuses is enough.
        const names = [...stored].map((status, place) => {
            values[`status${place}`] = status;
            return `:status${place}`;
        });
        if (statuses.every((status) => status === "cancelled")) {
            // The index of cancelled jobs is the smaller one.
            conditions.push(`(job.status || '') = ${names[0]} AND job.cancellation IS NOT NULL`);
        } else {
            conditions.push(names.length === 1 ? `job.status = ${names[0]}` : `job.status IN (${names.join(", ")})`);
            const [withFailed, withCancelled] = [statuses.includes("failed"), statuses.includes("cancelled")];
            if (withFailed !== withCancelled) {
                const wanted = `job.cancellation IS ${withFailed ? "" : "NOT "}NULL`;
                conditions.push(names.length === 1 ? wanted : `(job.status <> 'failed' OR ${wanted})`);
            }
        }
    }
    if (domain !== undefined) {
        conditions.push("job.domain = :domain");
        values["domain"] = domain;
    }
    // Lists show so many characters of an error. Only failed jobs have one, which the index of statuses finds.
    for (const [place, part] of partsOf(error ?? "").entries()) {
        conditions.push(`lower(substr(job.error, 1, 500)) LIKE :error${place} ESCAPE '\\'`);
        values[`error${place}`] = foundBy(part);
    }
    if (isUnrepeated) {
        const isSame = Object.values(requestColumns).map(
            (column) => `AND COALESCE(later.${column}, '') = COALESCE(job.${column}, '')`,
        );
        // Because of the limit, PostgreSQL reads the index of the domain for each job, and no whole index for a join.
        conditions.push(`(SELECT later.sequence FROM static_export_jobs later
            WHERE later.domain = job.domain AND later.kind = job.kind AND later.sequence > job.sequence
            ${isSame.join(" ")} LIMIT 1) IS NULL`);
    }
    if (queuedBy === null) {
        conditions.push("job.queued_by IS NULL");
    } else if (queuedBy !== undefined) {
        conditions.push("job.queued_by = :queuedBy");
        values["queuedBy"] = queuedBy;
    }
    // Jobs are numbered in the order of their times, so that a time is a position, too.
    if (since !== undefined) {
        conditions.push(
            `job.sequence >= COALESCE((SELECT sequence FROM static_export_jobs WHERE created_at >= :since
                ORDER BY created_at, sequence LIMIT 1), 9007199254740991)`,
        );
        values["since"] = since.getTime();
    }
    if (until !== undefined) {
        conditions.push(
            `job.sequence < COALESCE((SELECT sequence FROM static_export_jobs WHERE created_at >= :until
                ORDER BY created_at, sequence LIMIT 1), 9007199254740991)`,
        );
        values["until"] = until.getTime();
    }
    conditions.push("job.sequence < :before");
    values["before"] = before ?? Number.MAX_SAFE_INTEGER;
    return { conditions, values };
}
