import type { ResourceIdentity } from "pulumi-static-export/lifecycles";

/** Takes a resource's URN apart: `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`. */
export function parseUrn(urn: string): ResourceIdentity | undefined {
    const [, stack, project, types, name] = /^urn:pulumi:(.+?)::(.+?)::(.+?)::(.*)$/s.exec(urn) ?? [];
    const type = types?.split("$").at(-1);
    return stack !== undefined && project !== undefined && type !== undefined && name !== undefined
        ? { stack, project, type, name }
        : undefined;
}
