import type { DocumentationUpdate, PublishedCommit } from "@pulumi-static-export/sdk";
import { definedOnly } from "../engine/defined-only.js";
import type { InputsOf } from "../engine/resource-inputs.js";
import { digestAssets, isSameValue } from "@pulumi-static-export/contract";
import type { updateInputs } from "./check.js";

export type UpdateInputs = InputsOf<typeof updateInputs>;

export const updateOutputs = ["statusId", "status", "commit", "endedAt"] as const;

/** The outputs of an update; absent if the platform does not send them. */
export interface UpdateOutputs {
    statusId?: string;
    status?: string;
    commit?: PublishedCommit;
    /** RFC 3339. */
    endedAt?: string;
}

/** The state: the inputs and outputs of the last change. */
export interface UpdateState extends UpdateInputs, UpdateOutputs {
    /** The update of this change, while it has not ended: the next run waits for it. */
    pendingJobId?: string;
}

export function outputsOf({ statusId, status, commit, endedAt }: DocumentationUpdate): UpdateOutputs {
    return definedOnly({ statusId, status, commit, endedAt });
}

/** Returns the inputs that determine whether an update is started. */
export function updateOf({ projectId, triggers, expectedCommit }: UpdateInputs): object {
    return definedOnly({ projectId, triggers: digestAssets(triggers), expectedCommit });
}

/** Whether a published commit is the expected one, which may be shortened. */
export function isExpected(sha: string | undefined, expectedCommit: string): boolean {
    return sha?.toLowerCase().startsWith(expectedCommit.toLowerCase()) ?? false;
}

/** The work to do in place: start an update, or wait for the pending one. The project must be the same. */
type UpdateChange = "start" | "resume";

/** Compares state and inputs. Returns undefined if there is nothing to do. Makes no request. */
export function changeOf(olds: UpdateState, news: UpdateInputs): UpdateChange | undefined {
    const { expectedCommit } = news;
    const isOtherCommit = expectedCommit !== undefined && expectedCommit !== olds.expectedCommit;
    const isPublished =
        isOtherCommit && olds.pendingJobId === undefined && isExpected(olds.commit?.sha, expectedCommit);
    if (!isSameValue(olds.triggers, news.triggers) || (isOtherCommit && !isPublished)) {
        return "start";
    }
    if (olds.pendingJobId !== undefined) {
        return "resume";
    }
    return olds.statusId === undefined ? "start" : undefined;
}
