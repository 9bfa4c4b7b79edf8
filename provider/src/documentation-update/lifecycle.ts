import type { dynamic } from "@pulumi/pulumi";
import { definedOnly } from "../engine/defined-only.js";
import { checkResource } from "../engine/resource-inputs.js";
import { failureOf, readJob } from "../jobs/job-state.js";
import type { JobWords } from "../jobs/explain-failure.js";
import type { JobRuntime } from "../jobs/runtime.js";
import { forgetSavedJobs } from "../jobs/saved-jobs.js";
import { updateInputs } from "./check.js";
import { changeOf, type UpdateInputs, type UpdateOutputs, type UpdateState } from "./model.js";
import { DocumentationUpdateRun } from "./update-run.js";

const startsAgain = "The next `pulumi up` starts a new update.";
const words: JobWords = { unanswered: startsAgain, lost: startsAgain, namedLost: startsAgain };

/** The lifecycle of a `DocumentationUpdate`, called through its serialised provider. */
export class UpdateLifecycle {
    readonly #runtime: JobRuntime;

    constructor(runtime: JobRuntime) {
        this.#runtime = runtime;
    }

    check(_olds: UpdateInputs, news: UpdateInputs): Promise<dynamic.CheckResult<UpdateInputs>> {
        return Promise.resolve(checkResource(updateInputs, { ...news }));
    }

    diff(_id: string, olds: UpdateState, news: UpdateInputs): Promise<dynamic.DiffResult> {
        this.#runtime.savedJobs.add(olds.statusId);
        return Promise.resolve(
            olds.projectId === news.projectId
                ? { changes: changeOf(olds, news) !== undefined }
                : { changes: true, replaces: ["projectId"] },
        );
    }

    /**
     * Starts one update and waits for it. An update that has not ended yet is saved in the state, and the next run
     * waits for it.
     */
    async create(inputs: UpdateInputs): Promise<dynamic.CreateResult<UpdateState>> {
        // All updates of the resource have the same project.
        const id = inputs.projectId;
        return { id, outs: await this.#carryOut(id, inputs, undefined, (run) => run.startOrAdopt()) };
    }

    /** Keeps the state of a finished update, because removing the resource would start another update. */
    async read(id: string, props: UpdateState): Promise<dynamic.ReadResult<UpdateState>> {
        const { projectId, pendingJobId } = props;
        if (pendingJobId === undefined) {
            return { id, props };
        }
        const subjectOf = (statusId: string) => `Documentation update ${statusId} of project ${projectId}`;
        return readJob(this.#runtime, { id, props, subjectOf }, async (statusId) => {
            await this.#runtime
                .connect()
                .client.documentationUpdates.get(statusId, { projectId, signal: this.#runtime.signal });
            return props;
        });
    }

    /** Starts or resumes an update, depending on the diff. */
    async update(id: string, olds: UpdateState, news: UpdateInputs): Promise<dynamic.UpdateResult<UpdateState>> {
        const { pendingJobId } = olds;
        const isResumed = changeOf(olds, news) === "resume" && pendingJobId !== undefined;
        const work = (run: DocumentationUpdateRun) => (isResumed ? run.adopt(pendingJobId) : run.startOrAdopt());
        return { outs: await this.#carryOut(id, news, olds, work) };
    }

    /** Only removes the update from the state: the published site stays. Needs no key and makes no request. */
    delete(_id: string, props: UpdateState): Promise<void> {
        return this.#forget(props);
    }

    async #carryOut(
        id: string,
        inputs: UpdateInputs,
        olds: UpdateState | undefined,
        work: (run: DocumentationUpdateRun) => Promise<UpdateOutputs>,
    ): Promise<UpdateState> {
        const run = new DocumentationUpdateRun(this.#runtime, inputs, olds);
        if (olds) {
            await this.#forget(olds);
        }
        try {
            return definedOnly({ ...inputs, ...(await work(run)) }) as UpdateState;
        } catch (error) {
            const shown = ({ statusId, status, commit, endedAt }: UpdateOutputs) => ({
                statusId,
                status,
                commit,
                endedAt,
            });
            throw failureOf(error, {
                id,
                namedJobId: undefined,
                words,
                keySource: () => this.#runtime.connect().keySource,
                statePending: () => ({ ...inputs, ...shown(olds ?? {}) }),
                ...(olds && { resumedJobId: olds.pendingJobId, stateLost: () => withoutUpdate(olds) }),
            });
        }
    }

    #forget({ statusId, pendingJobId }: UpdateState): Promise<void> {
        return forgetSavedJobs(this.#runtime, [statusId, pendingJobId]);
    }
}

/** The next run starts a new update. */
function withoutUpdate({ pendingJobId, statusId, ...rest }: UpdateState): UpdateState {
    return rest;
}
