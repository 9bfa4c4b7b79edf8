import type { PlatformUpdate } from "@pulumi-static-export/sdk";
import { definedOnly } from "../engine/defined-only.js";
import type { InputsOf } from "../engine/resource-inputs.js";
import { digestAssets } from "@pulumi-static-export/contract";
import { input, output, type OutputsOf } from "../engine/resource-outputs.js";
import type { updateInputs } from "./check.js";

/** The files that a commit changed. */
export interface ChangedFiles {
    /** The number of files that the commit added. */
    added: number;
    /** The number of files that the commit modified. */
    modified: number;
    /** The number of files that the commit removed. */
    removed: number;
    /** The first hundred changed paths. */
    paths: string[];
}

/** The commit that an update published. All fields are optional, because the platform promises none of them. */
export interface PublishedCommit {
    /** The id of the commit. */
    sha?: string;
    /** The branch. */
    ref?: string;
    /** The commit's message, shortened to one line. */
    message?: string;
    /** The files that the commit changed. */
    filesChanged?: ChangedFiles;
}

export type UpdateInputs = InputsOf<typeof updateInputs>;

export const updateOutputs = {
    projectId: input<string>(),
    /** The platform's id of the update. */
    statusId: output<string>(),
    /** Always `success`, because any other outcome fails the run. */
    status: output<string>(),
    /**
     * The published commit. Undefined if the platform reports no commit, as for a site without a repository, or after a
     * build that skipped itself.
     */
    commit: output<PublishedCommit | undefined>(),
    /** When the update ended, in the format of RFC 3339, if the platform reports it. */
    endedAt: output<string | undefined>(),
};

/** Absent if the platform does not send them. */
export type UpdateOutputs = Partial<OutputsOf<typeof updateOutputs>>;

/** The state: the inputs and outputs of the last change. */
export interface UpdateState extends UpdateInputs, UpdateOutputs {
    /** The update of this change, while it has not ended: the next run waits for it. */
    pendingJobId?: string;
}

export function outputsOf({ statusId, status, commit, endedAt }: PlatformUpdate): UpdateOutputs {
    return definedOnly({ statusId, status, commit, endedAt });
}

/** Returns the inputs that determine whether an update is started. */
export function updateOf({ projectId, triggers, expectedCommit }: UpdateInputs): object {
    return definedOnly({ projectId, triggers: digestAssets(triggers), expectedCommit });
}
