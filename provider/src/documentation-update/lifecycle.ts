import { decideDocumentationUpdate } from "@pulumi-static-export/contract";
import type { JobWords } from "../jobs/explain-failure.js";
import { JobLifecycle } from "../jobs/job-lifecycle.js";
import { outputNames } from "../engine/resource-outputs.js";
import { updateInputs } from "./check.js";
import { type UpdateInputs, updateOutputs, type UpdateOutputs, type UpdateState } from "./model.js";
import { UpdateOperation } from "./update-operation.js";

const startsAgain = "The next `pulumi up` starts a new update.";

/** The lifecycle of a `DocumentationUpdate`, called through its serialised provider. */
export class UpdateLifecycle extends JobLifecycle<UpdateInputs, UpdateState, UpdateOperation> {
    readonly inputs = updateInputs;
    protected readonly Operation = UpdateOperation;
    protected readonly outputs = outputNames(updateOutputs);
    protected readonly words: JobWords = { unanswered: startsAgain, lost: startsAgain, namedLost: startsAgain };

    /** All updates of the resource have the same project. */
    protected idOf = ({ projectId }: UpdateInputs) => projectId;
    protected subjectOf = ({ projectId }: UpdateState, statusId: string) =>
        `Documentation update ${statusId} of project ${projectId}`;
    protected changeOf = (olds: UpdateState, news: UpdateInputs) => decideDocumentationUpdate(olds, news);

    /** Starts one update, or resumes the pending one, and waits for it. */
    protected carryOut(operation: UpdateOperation, inputs: UpdateInputs, olds?: UpdateState): Promise<UpdateOutputs> {
        const pendingId = olds && this.changeOf(olds, inputs) === "resume" ? olds.pendingJobId : undefined;
        return pendingId === undefined ? operation.startOrAdopt() : operation.adopt(pendingId);
    }

    /** Called only for a pending update: removing a resource whose update is finished would start another update. */
    protected async refresh(props: UpdateState, statusId: string): Promise<UpdateState> {
        const { projectId } = props;
        await this.client.documentationUpdates.get(statusId, { projectId, signal: this.runtime.signal });
        return props;
    }
}
