import { type JobSummary } from "../../history/job-history.js";
import { type AdminKeys } from "../../keys/admin-keys.js";

/** Names the keys of jobs in answers. */
export class JobAnswers {
    readonly #keys: Pick<AdminKeys, "namesOf">;

    constructor(keys: Pick<AdminKeys, "namesOf">) {
        this.#keys = keys;
    }

    async of(jobs: readonly JobSummary[]) {
        const ids = jobs.map(({ queuedBy }) => queuedBy).filter((id) => id !== null);
        const names = await this.#keys.namesOf(ids.filter((id) => id.startsWith("ak_")));
        return jobs.map((job) => answerOf(job, names));
    }
}

export type JobAnswer = ReturnType<typeof answerOf>;

function answerOf(job: JobSummary, names: ReadonlyMap<string, string>) {
    const id = job.queuedBy ?? "service";
    const name = names.get(id) ?? (id === "service" ? "key of the service" : id.replace(/^user:/, ""));
    return {
        jobId: job.jobId,
        domain: job.domain,
        ...(job.previewOf === null ? {} : { previewOf: job.previewOf }),
        ...(job.branch === null ? {} : { branch: job.branch }),
        status: job.status,
        progress: job.progress,
        pageCount: job.pageCount,
        createdAt: job.createdAt.toISOString(),
        updatedAt: job.updatedAt.toISOString(),
        ...(job.sourceRef === null ? {} : { sourceRef: job.sourceRef }),
        ...(job.error === null ? {} : { error: job.error }),
        ...(job.isCancelled ? { cancelled: true } : {}),
        version: job.version,
        sizeBytes: job.sizeBytes,
        sha256: job.sha256,
        key: { id, name },
    };
}
