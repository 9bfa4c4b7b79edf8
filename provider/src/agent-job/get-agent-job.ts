import * as pulumi from "@pulumi/pulumi";

/** Which agent job to look at. */
export interface GetAgentJobArgs {
    projectId: string;
    id: string;
    /**
     * Whether to wait, also during a preview, until the job is completed, archived or failed. Waits an hour at most.
     * @default false
     */
    waitUntilDone?: boolean;
}

/** An agent job as it was when the program ran. */
export interface GetAgentJobResult {
    id: string;
    /** `active`, `completed`, `archived` or `failed`. */
    status: string;
    /** Undefined while the job is active, and when it changed no file or opened no pull request. */
    prLink: string | undefined;
    sourceRepository: string;
    sourceRef: string | undefined;
    model: string;
    createdAt: string;
    archivedAt: string | undefined;
}

/**
 * Reads an agent job, also during a preview. Takes the same settings as the resources: first from the stack's
 * configuration, then from the environment.
 */
export async function getAgentJob({
    projectId,
    id,
    waitUntilDone = false,
}: GetAgentJobArgs): Promise<GetAgentJobResult> {
    const config = new pulumi.Config("static-export");
    const get = (key: string) => config.get(key.replace("static-export:", ""));
    // Loaded on demand: every program with a site loads this module.
    const { connectAdminApi } = await import("../host/connect-admin-api.js");
    const { client } = connectAdminApi({ get, require: (key) => config.require(key) }, process.env);
    try {
        const { agentJobs } = client;
        const job = await (waitUntilDone ? agentJobs.pollUntilDone(projectId, id) : agentJobs.get(projectId, id));
        return {
            id: job.id,
            status: job.status,
            prLink: job.prLink ?? undefined,
            sourceRepository: job.source.repository,
            sourceRef: job.source.ref ?? undefined,
            model: job.model,
            createdAt: job.createdAt,
            archivedAt: job.archivedAt ?? undefined,
        };
    } finally {
        client.close();
    }
}

/** The same for outputs of other resources. Makes no request while one of them is unknown. */
export function getAgentJobOutput(args: {
    projectId: pulumi.Input<string>;
    id: pulumi.Input<string>;
    waitUntilDone?: pulumi.Input<boolean>;
}): pulumi.Output<GetAgentJobResult> {
    return pulumi
        .output(args)
        .apply(({ projectId, id, waitUntilDone }) =>
            getAgentJob({ projectId, id, ...(waitUntilDone === undefined ? {} : { waitUntilDone }) }),
        );
}
