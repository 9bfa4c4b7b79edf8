import { unknownOutputs } from "./known-outputs.js";
import type { Lifecycle, ResourceKind } from "./resource-kind.js";

const outputs = ["statusId", "status", "commit", "endedAt"];

export const documentationUpdate: ResourceKind = {
    lifecycle: (host, context) => host.documentationUpdate(context) as unknown as Lifecycle,
    secretOutputs: [],
    updatingInputs: ["triggers", "expectedCommit"],
    changedOutputs: () => ["statusId"],
    previewState: (news) => ({ ...news, ...unknownOutputs(outputs) }),
    noImport: "declare it: an update exists nowhere but in a state",
};
