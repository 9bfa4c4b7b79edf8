import { createHash } from "node:crypto";
import { dynamicTypeOf, type ResourceIdentity } from "@pulumi-static-export/contract";

/** What a start is wanted for. Equal intents have equal keys, on every machine. */
export interface StartIntent {
    /** A dynamic resource and the plugin's are the same one: a stack may have moved since. */
    identity: ResourceIdentity;
    /** What the job is made from; any JSON value. May be secret: only its digest leaves this function. */
    inputs: unknown;
    /** The run of the pipeline; undefined where a job is wanted once, whichever run asks for it. */
    run: string | undefined;
    /** What the state holds of the job before: coming back to earlier inputs is a new intent. */
    after: string | undefined;
}

/** Part of every key: a change of what keys are made from changes it. */
const keyVersion = "static-export/start/1";

/**
 * The `Idempotency-Key` of a start, derived and not drawn: a machine that knows nothing of an earlier one sends the same
 * key, and a platform that honours it answers with the same job.
 *
 * @param refused - the jobs that were found with this intent's keys before and cannot be used, in order: every machine
 * that refuses the same jobs comes to the same next key
 */
export function deriveStartKey({ identity, inputs, run, after }: StartIntent, refused: readonly string[] = []): string {
    const { project, stack, type, name } = identity;
    const parts = [
        keyVersion,
        project,
        stack,
        dynamicTypeOf(type),
        name,
        sha256(inputs),
        run ?? null,
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

/** With the keys of objects in order: which order a program or Pulumi gives them says nothing. */
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
