import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

/** The documentation of a rule, in addition to the text that the engine shows. */
interface Explained {
    /** The consequence of breaking the rule, in one sentence. */
    readonly why: string;
}

/** A rule that the engine checks for each resource before changing it. */
export type ResourceRule = ResourceValidationPolicy & Explained;

/** A rule that the engine checks for all resources after all other steps have succeeded. */
export type StackRule = StackValidationPolicy & Explained;
