import { accessFile, isRecord } from "@pulumi-static-export/contract";
import {
    type ComparedSite,
    compareSites,
    type Comparison,
    SiteCollector,
} from "@pulumi-static-export/exporter/compare";
import { type JobSummary, type SiteJob } from "../exports/site-job.js";
import { type JobHistory } from "../history/job-history.js";
import { type Archive, type BundleStorage } from "../storage/bundle-storage.js";
import { readBundle } from "./read-bundle.js";

/** Why an export cannot be compared; the message says what to do. */
export class ChangesError extends Error {
    override readonly name = "ChangesError";
    readonly reason: "gone" | "busy";

    constructor(reason: "gone" | "busy", message: string) {
        super(message);
        this.reason = reason;
    }
}

interface ChangesOptions {
    history: Pick<JobHistory, "findCompletedBefore">;
    bundles: Pick<BundleStorage, "read">;
    /** Aborted when the service closes. */
    closing: AbortSignal;
}

export interface ExportChanges {
    /** The export before; undefined for the first one of a site. */
    before: JobSummary | undefined;
    comparison: Comparison;
}

const maxPageBytes = 16 * 1024 * 1024;
const maxWaiting = 10;
const maxKept = 50;
const timeLimitMs = 120_000;
const none: Comparison = {
    added: [],
    changed: [],
    removed: [],
    deadLinks: [],
    becomePrivate: [],
    becomePublic: [],
    missingRedirects: [],
};

/**
 * Compares exports with the ones before, one at a time, because reading two bundles takes seconds of CPU time and
 * memory for their links. Bundles do not change, so that a comparison is kept.
 */
export class ChangesReader {
    readonly #options: ChangesOptions;
    readonly #kept = new Map<string, Comparison>();
    #turn: Promise<unknown> = Promise.resolve();
    #waiting = 0;

    constructor(options: ChangesOptions) {
        this.#options = options;
    }

    /** @throws ChangesError */
    async of({ jobId, domain, sha256, sizeBytes }: SiteJob): Promise<ExportChanges> {
        if (sha256 === null || sizeBytes === null) {
            throw new ChangesError("gone", `Job ${jobId} has no bundle.`);
        }
        const before = await this.#options.history.findCompletedBefore(domain, jobId);
        if (before === undefined || before.sha256 === sha256) {
            return { before, comparison: none };
        }
        if (before.sha256 === null || before.sizeBytes === null) {
            throw new ChangesError("gone", `The previous export, ${before.jobId}, no longer has a bundle.`);
        }
        const old = { jobId: before.jobId, sha256: before.sha256, sizeBytes: before.sizeBytes };
        return { before, comparison: await this.#compare(old, { jobId, sha256, sizeBytes }) };
    }

    async #compare(before: StoredExport, after: StoredExport): Promise<Comparison> {
        const pair = `${before.sha256} ${after.sha256}`;
        if (this.#waiting >= maxWaiting) {
            throw new ChangesError("busy", "The service is already comparing other exports: try again in a minute.");
        }
        this.#waiting += 1;
        const turn = this.#turn
            .then(async () => this.#kept.get(pair) ?? (await this.#compareNow(before, after)))
            .finally(() => (this.#waiting -= 1));
        this.#turn = turn.catch(() => undefined);
        const comparison = await turn;
        this.#kept.delete(pair);
        this.#kept.set(pair, comparison);
        for (const oldest of this.#kept.keys()) {
            if (this.#kept.size <= maxKept) {
                break;
            }
            this.#kept.delete(oldest);
        }
        return comparison;
    }

    async #compareNow(before: StoredExport, after: StoredExport): Promise<Comparison> {
        const limit = AbortSignal.timeout(timeLimitMs);
        const signal = AbortSignal.any([this.#options.closing, limit]);
        try {
            return compareSites(await this.#readSite(before, signal), await this.#readSite(after, signal));
        } catch (error) {
            throw limit.aborted
                ? new ChangesError(
                      "busy",
                      `The comparison takes too long here: run static-export compare ${before.jobId} ${after.jobId}.`,
                  )
                : error;
        }
    }

    async #readSite({ jobId, ...archive }: StoredExport, signal: AbortSignal): Promise<ComparedSite> {
        const content = await this.#options.bundles.read(archive);
        if (typeof content === "string") {
            throw new ChangesError("gone", `The bundle of export ${jobId} is ${content}.`);
        }
        const site = new SiteCollector();
        let privateFiles: string[] = [];
        for await (const file of readBundle(content, signal)) {
            const isReadable = file.sizeBytes <= maxPageBytes;
            if (file.path === accessFile) {
                privateFiles = readPrivateFiles(await file.content());
            }
            if (isReadable || !site.needs(file.path)) {
                site.add(file.path, site.needs(file.path) ? await file.content() : undefined);
            }
            signal.throwIfAborted();
        }
        return site.finish(new Set(privateFiles));
    }
}

type StoredExport = Archive & { jobId: string };

function readPrivateFiles(text: string): string[] {
    const access: unknown = JSON.parse(text);
    return isRecord(access) && isRecord(access["files"]) ? Object.keys(access["files"]) : [];
}
