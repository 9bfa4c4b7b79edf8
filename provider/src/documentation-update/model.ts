import type { DocumentationUpdate, PublishedCommit } from "@pulumi-static-export/sdk";
import { definedOnly } from "../engine/defined-only.js";
import type { InputsOf } from "../engine/resource-inputs.js";
import { digestAssets } from "@pulumi-static-export/contract";
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
