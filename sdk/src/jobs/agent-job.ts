import {
    agentJob,
    agentJobLog,
    agentJobRecord,
    type agentJobSource,
    answer,
    list,
    member,
    object,
    readAs,
    type Received,
} from "@pulumi-static-export/contract/api";
import { type agentJobStatuses } from "@pulumi-static-export/contract";

/** The statuses in the contract. A server may send others: they are passed on unchanged and do not end polling. */
export type KnownAgentJobStatus = (typeof agentJobStatuses)[number];
/** An unknown status is passed on unchanged. */
export type AgentJobStatus = PlatformAgentJob["status"];

/** The statuses that end an agent job, and with it polling. */
export const terminalAgentJobStatuses: ReadonlySet<string> = new Set<KnownAgentJobStatus>([
    "completed",
    "archived",
    "failed",
]);

/** The repository and branch on which the agent works. */
export type AgentJobSource = Received<typeof agentJobSource>;

/** An asynchronous task of an agent on a hosted repository (docs/reference/admin-api.md, "AgentJob"). */
export type PlatformAgentJob = Received<typeof agentJob>;
export const decodeAgentJob = answer(object(agentJob));

/** A job in a list of jobs. */
export type AgentJobRecord = Received<typeof agentJobRecord>;
export const decodeAgentJobRecords = answer(member("jobs", list(object(agentJobRecord))));

/** A part of a job's log. */
export type AgentJobLog = ReturnType<typeof decodeAgentJobLog>;
export const decodeAgentJobLog = answer(readAs(object(agentJobLog), ({ text, ...rest }) => ({ lines: text, ...rest })));
