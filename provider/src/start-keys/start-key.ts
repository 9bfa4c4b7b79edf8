import { createHash } from "node:crypto";
import { dynamicTypeOf, type ResourceIdentity } from "@pulumi-static-export/contract";

/** The purpose of a start. Equal intents have equal keys on every machine. */
export interface StartIntent {
    /**
     * Equal for a dynamic resource and a resource of the plugin, because a stack may have moved from one to the other.
     */
    identity: ResourceIdentity;
    /** The inputs of the job; any JSON value. May be secret: only its digest leaves this function. */
    inputs: unknown;
    /** Undefined if the job should be started only once, by any run of any pipeline. */
    pipelineRun: string | undefined;
    /** The previous job in the state, because returning to earlier inputs is a new intent. */
    after: string | undefined;
}

/** This version is part of every key. Change this version whenever the derivation of keys changes. */
const keyVersion = "static-export/start/1";

/**
 * The `Idempotency-Key` of a start, derived instead of random: a machine without a record of an earlier start sends the
 * same key, and a platform that honours the key returns the same job.
 *
 * @param refused - the jobs that earlier keys of this intent found, and that cannot be used, in order: every machine
 * that refuses the same jobs derives the same next key
 */
export function deriveStartKey(
    { identity, inputs, pipelineRun, after }: StartIntent,
    refused: readonly string[] = [],
): string {
    const { project, stack, type, name } = identity;
    const parts = [
        keyVersion,
        project,
        stack,
        dynamicTypeOf(type),
        name,
        sha256(inputs),
        pipelineRun ?? null,
        after ?? null,
        refused,
    ];
    return sha256(parts);
}

function sha256(value: unknown): string {
    return createHash("sha256")
        .update(JSON.stringify(sorted(value)) ?? "undefined")
        .digest("hex");
}

/** Sorts the keys of objects, because their order in a program or in Pulumi's messages has no meaning. */
function sorted(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(sorted);
    }
    return typeof value === "object" && value !== null
        ? Object.fromEntries(
              Object.entries(value)
                  .sort(([a], [b]) => (a < b ? -1 : 1))
                  .map(([key, field]) => [key, sorted(field)]),
          )
        : value;
}
