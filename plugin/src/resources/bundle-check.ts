import { judgingCheckInputs } from "pulumi-static-export/plugin-entry";
import { unknownOutputs } from "./known-outputs.js";
import type { Lifecycle, ResourceKind } from "./resource-kind.js";

const outputs = ["sha256", "sizeBytes", "fileCount", "privateFileCount"];

export const bundleCheck: ResourceKind = {
    lifecycle: (host, context) => host.bundleCheck(context) as unknown as Lifecycle,
    secretOutputs: [],
    updatingInputs: judgingCheckInputs,
    changedOutputs: () => outputs,
    previewState: (news) => ({ ...news, ...unknownOutputs(outputs) }),
    noImport: "declare it: a check exists only in a state",
};
