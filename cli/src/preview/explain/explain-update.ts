import { decideDocumentationUpdate, isUpdate } from "@pulumi-static-export/contract";
import { asString, isSameShown } from "../log/property-value.js";
import { type ResourceChange } from "../log/resource-change.js";
import { type Phrase, say } from "./phrase.js";

/** The effect of a documentation update; undefined for a deleted update and for other resources. */
export function explainUpdate(change: ResourceChange): Phrase | undefined {
    const { kind, old } = change;
    const news = change.new?.inputs ?? {};
    const project = asString(news["projectId"]);
    if (!isUpdate(change) || kind === "delete" || project === undefined) {
        return undefined;
    }
    const state = old?.outputs ?? {};
    const pending = kind === "update" ? asString(state["pendingJobId"]) : undefined;
    const decide = (areSecretsSame: boolean) =>
        decideDocumentationUpdate(state, news, (before, after) => isSameShown(before, after) ?? areSecretsSame);
    if (pending === undefined || decide(true) === "start") {
        return say`waits for an update of project ${project}`;
    }
    return decide(false) === "resume"
        ? say`waits for update ${pending} of project ${project}, which an earlier run started`
        : say`waits for update ${pending} of project ${project}, which an earlier run started, or for a new one`;
}
