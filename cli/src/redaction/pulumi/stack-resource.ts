import { isPlatformResource, isRecord } from "@pulumi-static-export/contract";
import { type JsonObject } from "./marked-values.js";

/** The part of a resource's state that redaction uses. */
export interface StackResource extends JsonObject {
    urn: string;
    type: string;
    inputs?: JsonObject;
    outputs?: JsonObject;
    initErrors?: unknown[];
    propertyDependencies?: Record<string, string[]>;
    /** Outputs that the program or the provider declared as secrets. */
    additionalSecretOutputs?: string[];
    replacementTrigger?: unknown;
}

/** All resources of a deployment, including those of pending operations. */
export function resourcesOf(deployment: JsonObject): StackResource[] {
    const { resources = [], pending_operations: operations = [] } = deployment;
    const pending = (operations as unknown[]).map((operation) =>
        isRecord(operation) ? operation["resource"] : undefined,
    );
    return [...(resources as unknown[]), ...pending].filter((each): each is StackResource => isRecord(each));
}

/** The name of a resource in messages: `Release docs`. */
export function nameOf({ urn, type }: StackResource): string {
    return `${type.split(":").at(-1)} ${urn.split("::").slice(3).join("::")}`;
}

/** Whether a renewal depends on this output. The output is not a secret, even if a program marks it as one. */
export function isExpiry(resource: StackResource, output: string): boolean {
    return isPlatformResource(resource) && /^(expiresAt|urlExpiresAt|urlRenewAt|clockSkewMs)$/.test(output);
}
