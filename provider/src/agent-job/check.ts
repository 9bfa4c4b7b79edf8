import { maxPromptCharacters } from "@pulumi-static-export/contract";
import { agentJobId, anything, projectId, trueOrFalse } from "../engine/check-inputs.js";
import { jobTimeout } from "../engine/time-limit.js";
import { changesNothing, replaces, updates } from "../engine/resource-inputs.js";

export const agentJobInputs = {
    projectId: replaces(projectId, "the project in whose repository the agent works"),
    prompt: updates<string>(checkPrompt, "what the agent should do"),
    triggers: updates(anything),
    failOnFailedJob: changesNothing(trueOrFalse),
    startOnly: changesNothing(trueOrFalse),
    timeoutSeconds: changesNothing(jobTimeout),
    jobId: updates(agentJobId),
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
