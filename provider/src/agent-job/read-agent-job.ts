import type { AdminClient } from "@pulumi-static-export/sdk";

/** An agent job as it was when the program ran. */
export interface GetAgentJobResult {
    id: string;
    /** `active`, `completed`, `archived` or `failed`. */
    status: string;
    /** Undefined while the job is active, and if it changed no file or opened no pull request. */
    prLink: string | undefined;
    sourceRepository: string;
    sourceRef: string | undefined;
    model: string;
    createdAt: string;
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
