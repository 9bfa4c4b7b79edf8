import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb.js";
import { isSameValue } from "@pulumi-static-export/contract";
import { inputsThatUpdate } from "pulumi-static-export/plugin-entry";
import type { Properties } from "../wire/properties.js";
import type { Lifecycle, ResourceKind } from "./resource-kind.js";

/** Describes the lifecycle's decision, with the kind of each change. */
export function describeDiff(
    { kind, lifecycle }: { kind: ResourceKind; lifecycle: Lifecycle },
    olds: Properties,
    news: Properties,
    { changes = false, replaces = [] }: { changes?: boolean; replaces?: string[] },
): DiffResponse {
    const response = new DiffResponse();
    if (!changes) {
        response.setChanges(DiffResponse.DiffChanges.DIFF_NONE);
        return response;
    }
    response.setChanges(DiffResponse.DiffChanges.DIFF_SOME);
    response.setReplacesList(replaces);
    const details = response.getDetaileddiffMap();
    for (const property of replaces) {
        details.set(property, propertyDiff(PropertyDiff.Kind.UPDATE_REPLACE));
    }
    for (const property of inputsThatUpdate(lifecycle.inputs).filter((each) => !replaces.includes(each))) {
        // The state contains an output with the input's name even if the program omits the input.
        const isLeftOut = news[property] === undefined && property === "jobId";
        if (!isLeftOut && !isSameValue(olds[property], news[property])) {
            details.set(property, propertyDiff(kindOf(olds[property], news[property])));
        }
    }
    // In a detailed diff, Pulumi would show the output as deleted, because the program does not declare it.
    const isDetailed = details.getLength() > 0;
    response.setHasdetaileddiff(isDetailed);
    response.setDiffsList([...(isDetailed ? details.keys() : kind.changedOutputs(olds, news))]);
    return response;
}

function kindOf(before: unknown, after: unknown): PropertyDiff.Kind {
    if (before === undefined) {
        return PropertyDiff.Kind.ADD;
    }
    return after === undefined ? PropertyDiff.Kind.DELETE : PropertyDiff.Kind.UPDATE;
}

function propertyDiff(kind: PropertyDiff.Kind): PropertyDiff {
    const diff = new PropertyDiff();
    diff.setKind(kind);
    diff.setInputdiff(true);
    return diff;
}
