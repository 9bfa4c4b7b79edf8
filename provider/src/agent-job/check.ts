import type { dynamic } from "@pulumi/pulumi";
import { checkInputs, matching, type Rule, seconds, trueOrFalse } from "../engine/check-inputs.js";
import { definedOnly } from "../engine/defined-only.js";
import type { AgentJobInputs } from "./model.js";

const oneWeekSeconds = 7 * 24 * 3600;
const maxPromptCharacters = 100_000;

const agentJobId = matching(/^[\w.~-]+$/, 'the id of an agent job, such as "aj_4f2a"');

const rules: Record<Exclude<keyof AgentJobInputs, "__provider">, Rule> = {
    projectId: matching(/^[\w.~-]+$/, "the id of a project, as the API keys page of the dashboard shows it"),
    prompt: checkPrompt,
    triggers: () => undefined,
    failOnFailedJob: trueOrFalse,
    startOnly: trueOrFalse,
    timeoutSeconds: seconds(1, oneWeekSeconds),
    jobId: agentJobId,
};

export function checkAgentJob(news: Record<string, unknown>): dynamic.CheckResult<AgentJobInputs> {
    const failures = checkInputs(news, rules, {
        projectId: "the project in whose repository the agent works",
        prompt: "what the agent should do",
    });
    return { inputs: definedOnly(news) as unknown as AgentJobInputs, failures };
}

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
