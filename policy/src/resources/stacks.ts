import type { PolicyConfigSchema } from "@pulumi/policy";
import { stackOf } from "./describe-resource.js";

export interface StacksConfig {
    stacks?: string[];
}

const defaultStacks = ["prod*"];

/** The configuration of a policy that holds for some stacks only. */
export const stacksSchema: PolicyConfigSchema["properties"] = {
    stacks: {
        type: "array",
        items: { type: "string", minLength: 1 },
        default: defaultStacks,
        description: "Names of the stacks for which it holds; `*` stands for any characters.",
    },
};

/** Whether a policy holds for the stack of this resource. */
export function isNamedStack(urn: string, { stacks = defaultStacks }: StacksConfig): boolean {
    const stack = stackOf(urn);
    return stacks.some((pattern) => matches(stack, pattern));
}

function matches(name: string, pattern: string): boolean {
    const [start = "", ...rest] = pattern.split("*");
    const end = rest.pop();
    if (end === undefined) {
        return name === start;
    }
    let from = start.length;
    for (const part of rest) {
        const at = name.indexOf(part, from);
        if (at === -1) {
            return false;
        }
        from = at + part.length;
    }
    return name.startsWith(start) && name.endsWith(end) && name.length >= from + end.length;
}
