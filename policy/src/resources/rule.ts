import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

/** What the documentation says about a rule in addition to what the engine shows. */
interface Explained {
    /** What happens if the rule is broken, in one sentence. */
    readonly why: string;
}

/** A rule that the engine asks about each resource before it is touched. */
export type ResourceRule = ResourceValidationPolicy & Explained;

/** A rule that the engine asks about all resources when everything else has succeeded. */
export type StackRule = StackValidationPolicy & Explained;
