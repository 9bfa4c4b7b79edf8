import { agentJobStatuses } from "./job-statuses.js";
import * as field from "./fields.js";

/** The repository and branch on which the agent works. */
export const agentJobSource = {
    /** Full URL of the hosted git repository. */
    repository: field.text("Full URL of the hosted git repository.", { format: "uri" }),
    /** The git branch the agent works on. */
    ref: field.nullable(field.anyText("The git branch the agent works on.")),
};

export const agentJob = {
    id: field.id("Unique identifier of the agent job."),
    status: field.oneOf(agentJobStatuses, "completed, archived and failed are final until a message is sent."),
    source: field.object(agentJobSource),
    model: field.text("The AI model used for this job."),
    /** URL of the pull request; null while the job is active, or if it changed no file. */
    prLink: field.nullable(
        field.anyText("The agent's pull request; null while active and when no file changed.", { format: "uri" }),
    ),
    /** RFC 3339 date-time. */
    createdAt: field.dateTime("When the job was created."),
    /** RFC 3339 date-time; null unless the job is archived. */
    archivedAt: field.nullable(field.dateTime("When the job was archived.")),
};

/** An agent job in a list of jobs. */
export const agentJobRecord = {
    id: agentJob.id,
    projectId: field.text(),
    status: agentJob.status,
    /** The first prompt, at most 500 characters. */
    prompt: field.text("The first prompt, at most 500 characters."),
    prLink: agentJob.prLink,
    createdAt: agentJob.createdAt,
};

const lines = field.kind<string[], string>({ type: "string" }, (value, what, clean) => {
    if (typeof value !== "string") {
        throw new field.DecodeProblem(`${what} must be a string`);
    }
    return value === "" ? [] : value.replace(/\n$/, "").split("\n").map(clean);
});

/** A part of an agent job's log. */
export const agentJobLog = {
    text: lines("The log from the requested byte, at most 256 kB at once."),
    /** The byte at which the next part begins. */
    next: field.integer("The byte at which the next part begins."),
    /** False if the log is on a worker, or was removed. */
    isStored: field.flag("False if the log is on a worker, or was removed."),
};
