import { unknownOutputs } from "./known-outputs.js";
import type { Lifecycle, ResourceKind } from "./resource-kind.js";

export const staticExportJob: ResourceKind = {
    lifecycle: (host, context) => host.staticExportJob(context) as unknown as Lifecycle,
    secretOutputs: [],
    updatingInputs: ["version", "paths", "triggers"],
    changedOutputs: () => ["jobId"],
    previewState: (news) => ({ ...news, ...unknownOutputs(["jobId"]) }),
    noImport: "import its StaticExportBundle, which has the result of the job",
};
