import { isUpdate } from "@pulumi-static-export/contract";
import { asString } from "../log/property-value.js";
import { type ResourceChange } from "../log/resource-change.js";
import { type Phrase, say } from "./phrase.js";

/** The effect of a documentation update; undefined for a deleted update and for other resources. */
export function explainUpdate(change: ResourceChange): Phrase | undefined {
    const { kind, old } = change;
    const project = asString(change.new?.inputs["projectId"]);
    if (!isUpdate(change) || kind === "delete" || project === undefined) {
        return undefined;
    }
    const pending = asString(old?.outputs["pendingJobId"]);
    return pending === undefined
        ? say`waits for an update of project ${project}`
        : say`waits for update ${pending} of project ${project}, which an earlier run started, or for a new one`;
}
