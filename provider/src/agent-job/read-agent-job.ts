import type { AdminClient } from "@pulumi-static-export/sdk";

/** An agent job as it was when the program ran. */
export interface GetAgentJobResult {
    /** The id of the job. */
    id: string;
    /** `active`, `completed`, `archived` or `failed`. */
    status: string;
    /** URL of the pull request. Undefined while the job is active, or if there is no pull request. */
    prLink: string | undefined;
    /** Full URL of the repository. */
    sourceRepository: string;
    /** The branch that the agent works on, if the platform reports it. */
    sourceRef: string | undefined;
    /** The AI model that was used. */
    model: string;
    /** When the job was created, RFC 3339. */
    createdAt: string;
    /** When the job was archived, RFC 3339. */
    archivedAt: string | undefined;
}

/** Reads an agent job, or waits until it is completed, archived or failed. */
export async function readAgentJob(
    { agentJobs }: AdminClient,
    { projectId, id, waitUntilDone = false }: { projectId: string; id: string; waitUntilDone?: boolean },
    signal?: AbortSignal,
): Promise<GetAgentJobResult> {
    const job = await (waitUntilDone
        ? agentJobs.pollUntilDone(projectId, id, { signal })
        : agentJobs.get(projectId, id, { signal }));
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
}
