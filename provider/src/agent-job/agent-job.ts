import type * as pulumi from "@pulumi/pulumi";
import { PlatformResource } from "../program/platform-resource.js";
import { agentJobProvider } from "./agent-job-provider.js";

/** What an {@link AgentJob} is declared with. */
export interface AgentJobArgs {
    /** The project in whose repository the agent works. A change replaces the resource. */
    projectId: pulumi.Input<string>;
    /** What the agent is to do; may be secret. A change sends one message to the job, which goes on in its branch. */
    prompt: pulumi.Input<string>;
    /** Any values: a change of one runs one new job. */
    triggers?: pulumi.Input<unknown>;
    /**
     * Whether a job that ends as failed fails the update.
     * @default true
     */
    failOnFailedJob?: pulumi.Input<boolean>;
    /**
     * How long one `pulumi up` waits for the job, in seconds. The agent goes on, and the next `pulumi up` continues to
     * wait.
     * @default 3600
     */
    timeoutSeconds?: pulumi.Input<number>;
    /** Adopts a job that was created elsewhere instead of creating one. */
    jobId?: pulumi.Input<string>;
}

/**
 * A job of an agent that works on a prompt in a repository, and may open a pull request. Creating the resource runs one
 * job and waits for its end; a wait that timed out, failed or was interrupted is resumed by the next `pulumi up`, and
 * neither a job nor a message is sent twice for one change. Deleting the resource forgets it and calls nothing.
 */
export class AgentJob extends PlatformResource {
    /** @internal What policy packs match on: without it `validateResourceOfType` never finds the resource. */
    public static readonly __pulumiType = "pulumi-nodejs:dynamic/static-export:AgentJob";

    declare public readonly projectId: pulumi.Output<string>;
    declare public readonly prompt: pulumi.Output<string>;
    declare public readonly jobId: pulumi.Output<string>;
    /** `completed`, `archived`, or with `failOnFailedJob: false` also `failed`. */
    declare public readonly status: pulumi.Output<string>;
    /** Address of the pull request. Undefined when the agent changed no file, or opened none. */
    declare public readonly prLink: pulumi.Output<string | undefined>;
    /** Full URL of the repository. */
    declare public readonly sourceRepository: pulumi.Output<string>;
    /** The branch the agent works on, where the platform says it. */
    declare public readonly sourceRef: pulumi.Output<string | undefined>;
    /** The AI model that was used. */
    declare public readonly model: pulumi.Output<string>;
    /** RFC 3339. */
    declare public readonly createdAt: pulumi.Output<string>;
    /** RFC 3339. Undefined unless the job is archived. */
    declare public readonly archivedAt: pulumi.Output<string | undefined>;

    constructor(name: string, args: AgentJobArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            agentJobProvider,
            name,
            // Outputs have to be named here, or Pulumi does not set them on the resource.
            {
                jobId: undefined,
                status: undefined,
                prLink: undefined,
                sourceRepository: undefined,
                sourceRef: undefined,
                model: undefined,
                createdAt: undefined,
                archivedAt: undefined,
                ...args,
            },
            opts,
            "AgentJob",
        );
    }
}
