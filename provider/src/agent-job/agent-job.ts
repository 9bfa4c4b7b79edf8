import type * as pulumi from "@pulumi/pulumi";
import { agentJobType, apiSettings } from "@pulumi-static-export/contract";
import { createProvider } from "../program/create-provider.js";
import { PlatformResource, type ResourceClass } from "../program/platform-resource.js";
import { agentJobOutputs } from "./model.js";
import type { PropertiesOf } from "../engine/resource-outputs.js";
import type { ArgsOf } from "../engine/resource-inputs.js";
import type { agentJobInputs } from "./check.js";

/** The arguments of an {@link AgentJob}. */
export type AgentJobArgs = ArgsOf<typeof agentJobInputs>;

const agentJobClass: ResourceClass = {
    type: "AgentJob",
    provider: createProvider("agentJob"),
    outputs: agentJobOutputs,
    secretSettings: [apiSettings.adminApiKey],
};

/**
 * An agent that works on a prompt in a repository and may open a pull request. Creating the resource runs one job and
 * waits for it. If the wait times out, fails or is interrupted, the next `pulumi up` resumes it, and creates no second
 * job and sends no second message. Deleting the resource only removes it from the state and makes no request.
 *
 * @example
 * ```ts
 * import { AgentJob, StaticExportBundle } from "pulumi-static-export";
 *
 * const change = new AgentJob("change", { projectId: "docs", prompt: "Describe the new endpoint." });
 * const bundle = new StaticExportBundle("docs", { domain: "docs.example.com" }, { dependsOn: change });
 *
 * export const { prLink } = change;
 * ```
 */
export class AgentJob extends PlatformResource {
    /** @internal The type that policy packs match on: `validateResourceOfType` does not work without it. */
    public static readonly __pulumiType = agentJobType;

    constructor(name: string, args: AgentJobArgs, opts?: pulumi.CustomResourceOptions) {
        super(agentJobClass, name, args, opts);
    }
}

export interface AgentJob extends PropertiesOf<typeof agentJobOutputs> {}
