import type { dynamic } from "@pulumi/pulumi";
import { checkInputs, matching, type Rule, seconds } from "../engine/check-inputs.js";
import { definedOnly } from "../engine/defined-only.js";
import type { UpdateInputs } from "./model.js";

const oneWeekSeconds = 7 * 24 * 3600;

const rules: Record<Exclude<keyof UpdateInputs, "__provider">, Rule> = {
    projectId: matching(/^[\w.~-]+$/, "the id of a project, as the API keys page of the dashboard shows it"),
    triggers: () => undefined,
    expectedCommit: matching(/^[0-9a-f]{7,64}$/i, "a commit id of 7 to 64 hexadecimal digits"),
    timeoutSeconds: seconds(1, oneWeekSeconds),
};

export function checkDocumentationUpdate(news: Record<string, unknown>): dynamic.CheckResult<UpdateInputs> {
    const failures = checkInputs(news, rules, { projectId: "the project whose documentation is published" });
    return { inputs: definedOnly(news) as unknown as UpdateInputs, failures };
}
