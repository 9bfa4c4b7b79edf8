import type { dynamic } from "@pulumi/pulumi";
import { definedOnly } from "../engine/defined-only.js";
import { readJob } from "../jobs/job-state.js";
import { explain, jobWordsOf } from "../jobs/explain-failure.js";
import { finishJob } from "../jobs/start-or-adopt.js";
import type { JobRuntime } from "../jobs/runtime.js";
import { forgetSavedJobs } from "../jobs/saved-jobs.js";
import { ExportRun } from "../static-export-bundle/export-run.js";
import { exportOf, isSameExport } from "../static-export-bundle/model.js";
import { checkJob } from "./check.js";
import type { ExportJobInputs, ExportJobState } from "./model.js";

const words = {
    ...jobWordsOf({ resource: "StaticExportBundle", jobId: "se_…", startAgain: "export again" }),
    unanswered:
        'To use that job, set `jobId: "se_…"` in the arguments of the StaticExportBundle; otherwise the next ' +
        "`pulumi up` starts another one.",
};

/**
 * The lifecycle of a `StaticExportJob`, called through its serialised provider: it starts jobs without waiting for
 * them.
 */
export class ExportJobLifecycle {
    readonly #runtime: JobRuntime;

    constructor(runtime: JobRuntime) {
        this.#runtime = runtime;
    }

    check(_olds: ExportJobInputs, news: ExportJobInputs): Promise<dynamic.CheckResult<ExportJobInputs>> {
        return Promise.resolve(checkJob({ ...news }));
    }

    diff(_id: string, olds: ExportJobState, news: ExportJobInputs): Promise<dynamic.DiffResult> {
        this.#runtime.savedJobs.add(olds.jobId);
        return Promise.resolve(
            olds.domain === news.domain
                ? { changes: !isSameExport(olds, news) || olds.jobId === undefined }
                : { changes: true, replaces: ["domain"] },
        );
    }

    /** Starts one job. */
    async create(inputs: ExportJobInputs): Promise<dynamic.CreateResult<ExportJobState>> {
        return { id: inputs.domain, outs: await this.#start(inputs) };
    }

    /** Keeps the state, unless waiting is useless because the job is gone or has failed. */
    async read(id: string, props: ExportJobState): Promise<dynamic.ReadResult<ExportJobState>> {
        const read = await readJob(this.#runtime, { id, props, subjectOf: () => props.domain }, async (jobId) => {
            const { client } = this.#runtime.connect();
            const { status } = await client.staticExports.get(jobId, {
                domain: props.domain,
                signal: this.#runtime.signal,
            });
            return status === "failed" ? withoutJob(props) : props;
        });
        return read.props !== undefined && read.props.jobId === undefined ? { id: "" } : read;
    }

    /** Starts one job for the new inputs. */
    async update(
        _id: string,
        olds: ExportJobState,
        news: ExportJobInputs,
    ): Promise<dynamic.UpdateResult<ExportJobState>> {
        return { outs: await this.#start(news, olds) };
    }

    /** Only removes the job from the state, because the API cannot stop it. Needs no key and makes no request. */
    delete(_id: string, { jobId }: ExportJobState): Promise<void> {
        return forgetSavedJobs(this.#runtime, [jobId]);
    }

    async #start(inputs: ExportJobInputs, olds?: ExportJobState): Promise<ExportJobState> {
        const run = new ExportRun(this.#runtime, inputs, olds);
        await forgetSavedJobs(this.#runtime, [olds?.jobId]);
        try {
            const { jobId, entry } = await run.start();
            await finishJob(this.#runtime, { jobId, entry, isNamed: false }, () => Promise.resolve());
            return definedOnly({ ...exportOf(inputs), __provider: inputs.__provider, jobId }) as ExportJobState;
        } catch (error) {
            throw explain(error, undefined, words, () => this.#runtime.connect().keySource);
        }
    }
}

function withoutJob({ jobId, ...rest }: ExportJobState): ExportJobState {
    return rest;
}
