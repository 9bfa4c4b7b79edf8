import { anything, matching, projectId } from "../engine/check-inputs.js";
import { jobTimeout } from "../engine/time-limit.js";
import { changesNothing, replaces, updates } from "../engine/resource-inputs.js";

export const updateInputs = {
    /**
     * The project whose documentation is published, or the domain of a site of the self-hosted service. A change
     * replaces the resource.
     */
    projectId: replaces<string>(projectId, "the project whose documentation is published"),
    /** Any values, such as the commit that was pushed. A change starts one update. */
    triggers: updates<unknown>(anything),
    /**
     * The commit that the update has to publish, as 7 to 64 hexadecimal digits. If the update publishes another commit
     * or none, the run fails. Changing it to a commit that is not published starts one update.
     */
    expectedCommit: updates<string>(matching(/^[0-9a-f]{7,64}$/i, "a commit id of 7 to 64 hexadecimal digits")),
    /**
     * How long one `pulumi up` waits for the update, in seconds. An update that takes longer continues.
     * @default 3600
     */
    timeoutSeconds: changesNothing<number>(jobTimeout),
};
