import { isRecord } from "@pulumi-static-export/contract";
import { gunzipSync } from "node:zlib";
import { UsageError } from "../../command-line/usage-error.js";
import { type JsonObject } from "./marked-values.js";

/** A state as `pulumi stack import` accepts it. */
export interface StateFile {
    version: number;
    features?: unknown;
    deployment: JsonObject;
}

/** The supported versions of Pulumi's deployments. */
const knownVersions = [3, 4];

/**
 * Reads the output of `pulumi stack export`, or a checkpoint of a file backend (`.pulumi/stacks/…`), gzipped or not.
 * @throws UsageError for other content
 */
export function readStateFile(content: Buffer): StateFile {
    const file = parse(content);
    const { version, features, deployment, checkpoint } = file;
    if (typeof version !== "number" || !knownVersions.includes(version)) {
        throw new UsageError(
            `The state has version ${JSON.stringify(version)}; this command reads only ` +
                `${knownVersions.join(" and ")}. Pass the output of pulumi stack export, or a checkpoint of a file ` +
                "backend.",
        );
    }
    // A stack without an update has no deployment yet.
    const inner = isRecord(checkpoint) ? (checkpoint["latest"] ?? {}) : deployment === null ? {} : deployment;
    if (!isRecord(inner)) {
        throw new UsageError("The state has neither a deployment nor a checkpoint.");
    }
    const { resources, pending_operations: operations, ...rest } = inner;
    assertResources(inner);
    // Go writes an empty list as null.
    const lists = Object.entries({ resources, pending_operations: operations }).filter(
        ([, list]) => list !== null && list !== undefined,
    );
    return {
        version,
        ...(features === undefined ? {} : { features }),
        deployment: { ...rest, ...Object.fromEntries(lists) },
    };
}

function assertResources({ resources, pending_operations: operations }: JsonObject): void {
    const isResource = (each: unknown) =>
        isRecord(each) && typeof each["urn"] === "string" && typeof each["type"] === "string";
    const isList = (list: unknown, isEntry: (each: unknown) => boolean) =>
        list === undefined || list === null || (Array.isArray(list) && list.every(isEntry));
    const hasResource = (operation: unknown) => isRecord(operation) && isResource(operation["resource"]);
    if (!isList(resources, isResource) || !isList(operations, hasResource)) {
        throw new UsageError("The state is damaged: one of its resources has no URN or no type.");
    }
}

function parse(content: Buffer): JsonObject {
    const gzipped = content[0] === 0x1f && content[1] === 0x8b;
    let parsed: unknown;
    try {
        parsed = JSON.parse(textOf(gzipped ? gunzipSync(content) : content));
    } catch {
        // Excludes the parser's message, which quotes the text.
        throw new UsageError("The state is not JSON, or is incomplete.");
    }
    if (!isRecord(parsed)) {
        throw new UsageError("The state is not a JSON object.");
    }
    return parsed;
}

/**
 * Decodes a file, even if PowerShell redirected output into it: with a byte order mark or, in older versions, as
 * UTF-16.
 */
function textOf(content: Buffer): string {
    const isUtf16 = content[0] === 0xff && content[1] === 0xfe;
    return content.toString(isUtf16 ? "utf16le" : "utf8").replace(/^\uFEFF/, "");
}
