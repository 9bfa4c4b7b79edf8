import type { PolicyConfigSchema } from "@pulumi/policy";
import { defaultProtectedStacks, matchesStack, parseUrn } from "@pulumi-static-export/contract";

export interface StacksConfig {
    stacks?: string[];
}

/** The configuration of a policy that applies to some stacks only. */
export const stacksSchema: PolicyConfigSchema["properties"] = {
    stacks: {
        type: "array",
        items: { type: "string", minLength: 1 },
        default: [...defaultProtectedStacks],
        description: "Names of the stacks to which the policy applies. `*` matches any characters.",
    },
};

/** Whether a policy applies to this resource's stack. */
export function isNamedStack(urn: string, { stacks }: StacksConfig): boolean {
    return matchesStack(parseUrn(urn)?.stack ?? "", stacks ?? defaultProtectedStacks);
}
