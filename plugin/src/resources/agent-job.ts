import { agentJobChange, type AgentJobInputs, type AgentJobState } from "pulumi-static-export/plugin-entry";
import { unknownOutputs } from "./known-outputs.js";
import type { Lifecycle, ResourceKind } from "./resource-kind.js";

const jobOutputs = ["jobId", "sourceRepository", "sourceRef", "model", "createdAt"];
const resultOutputs = ["status", "prLink", "archivedAt"];

export const agentJob: ResourceKind = {
    lifecycle: (host, context) => host.agentJob(context) as unknown as Lifecycle,
    secretOutputs: [],
    updatingInputs: ["prompt", "triggers", "jobId"],
    changedOutputs: () => resultOutputs,
    previewState(news, olds) {
        const change = olds && agentJobChange(olds as unknown as AgentJobState, news as unknown as AgentJobInputs);
        const isSameJob = change === "message" || change === "resume";
        const job = isSameJob ? Object.fromEntries(jobOutputs.map((name) => [name, olds?.[name]])) : {};
        return { ...unknownOutputs([...jobOutputs, ...resultOutputs]), ...job, ...news };
    },
    noImport: "set jobId in its arguments: that adopts the job, and creates none",
};
