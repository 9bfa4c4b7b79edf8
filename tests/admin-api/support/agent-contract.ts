import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AdminClient, systemClock } from "@pulumi-static-export/sdk";
import { createService } from "@pulumi-static-export/service";
import { withFolder } from "../../sdk/support/files.js";
import { type AgentEnd, ScriptedAgents } from "../../service/support/scripted-agents.js";

export const adminApiKey = "contract_0123456789abcdef";
export const projectId = "p_1";
/** A project whose settings name no branch. */
const withoutRef = "p_2";

type Json = Record<string, unknown>;

export interface RunningContract {
    client: AdminClient;
    create: (project?: string) => Promise<string>;
    get: (id: string, project?: string) => Promise<Json>;
    /** Ends a job's agent, and waits until the service has stored the outcome. */
    end: (id: string, end: AgentEnd) => Promise<unknown>;
    archive: (id: string) => Promise<unknown>;
    /** Returns the JSON of a job in each status, and of a job without a ref. */
    jobInEveryState: () => Promise<Json[]>;
    request: (method: string, path: string, key?: string | null) => Promise<{ status: number; body: Json }>;
}

/** Runs the service over HTTP, with agents that run until the spec ends them. */
export async function withContract(use: (contract: RunningContract) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        await mkdir(join(folder, "site"));
        const agents = await ScriptedAgents.create(folder);
        const { repository } = agents;
        const service = createService({
            dataDir: join(folder, "data"),
            sites: { "docs.example.com": join(folder, "site") },
            adminApiKey,
            agent: agents.options,
            projects: { [projectId]: { repository, ref: "main" }, [withoutRef]: { repository } },
        });
        const baseUrl = await service.listen();
        const clock = {
            ...systemClock,
            sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 20), signal),
        };
        const client = new AdminClient({ baseUrl, adminApiKey, clock });
        const request: RunningContract["request"] = async (method, path, key = adminApiKey) => {
            const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
            const response = await fetch(baseUrl + path, { method, headers });
            return { status: response.status, body: (await response.json()) as Json };
        };
        const get: RunningContract["get"] = async (id, project = projectId) =>
            (await request("GET", `/v2/agent/${project}/job/${id}`)).body;
        const create = async (project = projectId) =>
            (await client.agentJobs.create(project, { prompt: "Fix typos." })).id;
        const archive = (id: string) => client.agentJobs.archive(projectId, id);
        const end: RunningContract["end"] = async (id, how) => {
            await agents.end(id, how);
            await client.agentJobs.pollUntilDone(projectId, id);
        };
        try {
            await use({
                client,
                create,
                get,
                request,
                end,
                archive,
                async jobInEveryState() {
                    const [active, completed, archived, failed] = [
                        await create(),
                        await create(),
                        await create(),
                        await create(),
                    ];
                    await end(completed, "changed");
                    await archive(archived);
                    await end(failed, "failed");
                    const inState = await Promise.all([active, completed, archived, failed].map((id) => get(id)));
                    return [...inState, await get(await create(withoutRef), withoutRef)];
                },
            });
        } finally {
            client.close();
            await service.close();
        }
    });
}
