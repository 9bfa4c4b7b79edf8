import { maxPromptCharacters } from "@pulumi-static-export/contract";
import { agentJobId, anything, projectId, trueOrFalse } from "../engine/check-inputs.js";
import { jobTimeout } from "../engine/time-limit.js";
import { changesNothing, replaces, updates } from "../engine/resource-inputs.js";

export const agentJobInputs = {
    /** The project in whose repository the agent works. A change replaces the resource. */
    projectId: replaces<string>(projectId, "the project in whose repository the agent works"),
    /**
     * The task of the agent. May be secret. A change sends one message to the job, which continues on its branch.
     */
    prompt: updates<string>(checkPrompt, "what the agent should do"),
    /** Any values. A change runs one new job. */
    triggers: updates<unknown>(anything),
    /**
     * Whether a failed job fails the update.
     * @default true
     */
    failOnFailedJob: changesNothing<boolean>(trueOrFalse),
    /**
     * Creates the job, or sends the message, without waiting for its end. Wait with
     * `getAgentJob({ waitUntilDone: true })`.
     * @default false
     */
    startOnly: changesNothing<boolean>(trueOrFalse),
    /**
     * How long one `pulumi up` waits for the job, in seconds. A job that takes longer keeps running.
     * @default 3600
     */
    timeoutSeconds: changesNothing<number>(jobTimeout),
    /** Adopts this job instead of creating one. */
    jobId: updates<string>(agentJobId),
};

/** The prompt itself is never shown, because it may be secret. */
function checkPrompt(value: unknown): string | undefined {
    if (typeof value !== "string") {
        return "must be a string";
    }
    if (value.trim() === "") {
        return "must not be empty";
    }
    return value.length > maxPromptCharacters
        ? `must be at most ${maxPromptCharacters} characters long, got ${value.length}`
        : undefined;
}
