import { anything, matching, projectId } from "../engine/check-inputs.js";
import { jobTimeout } from "../engine/time-limit.js";
import { changesNothing, replaces, updates } from "../engine/resource-inputs.js";

export const updateInputs = {
    projectId: replaces(projectId, "the project whose documentation is published"),
    triggers: updates(anything),
    expectedCommit: updates(matching(/^[0-9a-f]{7,64}$/i, "a commit id of 7 to 64 hexadecimal digits")),
    timeoutSeconds: changesNothing(jobTimeout),
};
