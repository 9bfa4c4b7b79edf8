import { gunzipSync } from "node:zlib";
import { UsageError } from "../../usage-error.js";
import { isObject, type JsonObject } from "./marked-values.js";

/** A state as `pulumi stack import` takes it. */
export interface StateFile {
    version: number;
    features?: unknown;
    deployment: JsonObject;
}

/** The versions of Pulumi's deployments whose fields are known. */
const knownVersions = [3, 4];

/**
 * Reads what `pulumi stack export` printed, or a checkpoint of a file backend (`.pulumi/stacks/…`), gzipped or not.
 * @throws UsageError when it is neither
 */
export function readStateFile(content: Buffer): StateFile {
    const file = parse(content);
    const { version, features, deployment, checkpoint } = file;
    if (typeof version !== "number" || !knownVersions.includes(version)) {
        throw new UsageError(
            `The state has version ${JSON.stringify(version)}; this command knows ${knownVersions.join(" and ")}. ` +
                "Give it what pulumi stack export prints, or a checkpoint of a file backend.",
        );
    }
    const inner = isObject(checkpoint) ? (checkpoint["latest"] ?? {}) : deployment;
    if (!isObject(inner)) {
        throw new UsageError("The state has neither a deployment nor a checkpoint.");
    }
    return { version, ...(features === undefined ? {} : { features }), deployment: inner };
}

function parse(content: Buffer): JsonObject {
    const gzipped = content[0] === 0x1f && content[1] === 0x8b;
    let parsed: unknown;
    try {
        parsed = JSON.parse((gzipped ? gunzipSync(content) : content).toString("utf8"));
    } catch {
        // Without the parser's message, which quotes the text.
        throw new UsageError("The state is not JSON, or is incomplete.");
    }
    if (!isObject(parsed)) {
        throw new UsageError("The state is not a JSON object.");
    }
    return parsed;
}
