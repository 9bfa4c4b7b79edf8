import * as pulumi from "@pulumi/pulumi";
import { type GetAgentJobResult, readAgentJob } from "./read-agent-job.js";

export type { GetAgentJobResult };

/** The agent job to read. */
export interface GetAgentJobArgs {
    /** The project of the job. */
    projectId: string;
    /** The id of the job. */
    id: string;
    /**
     * Whether to wait, also during a preview, until the job has ended. Waits for an hour at most.
     * @default false
     */
    waitUntilDone?: boolean;
}

/**
 * Reads an agent job, also during a preview. Uses the same settings as the resources: first from the stack's
 * configuration, then from the environment.
 */
export async function getAgentJob(args: GetAgentJobArgs): Promise<GetAgentJobResult> {
    const config = new pulumi.Config("static-export");
    const get = (key: string) => config.get(key.replace("static-export:", ""));
    // Loaded on demand, because every program with a site loads this module.
    const { connectAdminApi } = await import("../engine/connect-admin-api.js");
    const { client } = connectAdminApi({ get, require: (key) => config.require(key) }, process.env);
    try {
        return await readAgentJob(client, args);
    } finally {
        client.close();
    }
}

/**
 * Reads an agent job, like {@link getAgentJob}, but accepts outputs of other resources. Makes no request while one of
 * the outputs is unknown.
 */
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
