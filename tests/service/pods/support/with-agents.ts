import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentJobStore } from "../../../../service/src/agents/agent-job-store.js";
import { AgentJobs } from "../../../../service/src/agents/agent-jobs.js";
import { type AgentOptions, resolveAgent } from "../../../../service/src/agents/agent-options.js";
import { openSqliteDatabase } from "../../../../service/src/database/sqlite-database.js";
import { JobRunner } from "../../../../service/src/jobs/runner.js";
import { KubernetesApi } from "../../../../service/src/pods/kubernetes-api.js";
import { type PodSettings } from "../../../../service/src/pods/pod-settings.js";
import { Remote } from "../../../e2e/agent/agent-service.js";
import { withFolder } from "../../../sdk/support/files.js";
import { waitUntil } from "../../../wait-until.js";
import { FakeKubernetes, type Fate } from "./fake-kubernetes.js";

const projectId = "docs";
const settings: PodSettings = {
    image: "registry.example.com/agents:1",
    transferImage: "registry.example.com/static-export:1",
    secretEnv: { MODEL_API_KEY: { name: "agents", key: "model" } },
    containers: { imagePullPolicy: "IfNotPresent", securityContext: { allowPrivilegeEscalation: false } },
    main: { resources: { requests: { cpu: "500m" }, limits: { memory: "4Gi" } } },
    metadata: { labels: { "app.kubernetes.io/component": "agents" } },
    pod: { runtimeClassName: "gvisor" },
    ttlSecondsAfterFinished: 300,
};

interface Ended {
    status: string;
    log: string;
}

interface Agents {
    /** The data folder. */
    folder: string;
    cluster: FakeKubernetes;
    remote: Remote;
    /** Creates a job. @returns its id */
    create: (prompt: string) => Promise<string>;
    message: (id: string, prompt: string) => Promise<void>;
    archive: (id: string) => Promise<void>;
    ended: (id: string) => Promise<Ended>;
    logOf: (id: string) => Promise<string>;
    /** Ends the worker, and starts another one in the same pod. */
    restart: () => Promise<void>;
}

/** A cluster with a worker whose agents run `script` in pods, which end as `fate` decides. */
export async function withAgents(
    script: string,
    use: (agents: Agents) => Promise<void>,
    { fate, maxWaitMs = 30_000, ...options }: { fate?: Fate; maxWaitMs?: number } & Partial<AgentOptions> = {},
): Promise<void> {
    await withFolder(async (folder) => {
        const remote = await Remote.create(folder);
        const cluster = await FakeKubernetes.start(folder, fate);
        const database = openSqliteDatabase(folder);
        const api = new KubernetesApi({ url: cluster.url, namespace: "docs", readToken: () => "account" });
        const times = { pollMs: 20, maxWaitMs, maxStuckMs: 100, logMs: 2000 };
        const env = { ...process.env, POD_NAME: "worker-1", MODEL_API_KEY: "5ecret-value" };
        const agent = {
            ...resolveAgent({ command: ["/bin/sh", "-c", script], environment: ["MODEL_API_KEY"], env, ...options }),
            pods: { settings, api, listen: { host: "127.0.0.1", port: 0 }, times },
        };
        const jobs = new AgentJobStore(database, Date.now);
        const logger = { info: () => undefined, error: () => undefined };
        const start = async () => {
            const kind = new AgentJobs({ agent, database, dataDir: folder, logger, keepDays: 1, clock: Date.now });
            const runner = new JobRunner(kind, logger, { pollMs: 20, tickMs: 100 });
            await runner.startAlone();
            return runner;
        };
        let runner = await start();
        const logOf = (id: string) => readFile(join(folder, "agent", "logs", `${id}.log`), "utf8").catch(() => "");
        try {
            await use({
                ...{ folder, cluster, remote, logOf },
                create: async (prompt) => {
                    const { id } = await jobs.create(projectId, { repository: remote.url, ref: "main" }, prompt);
                    runner.wake();
                    return id;
                },
                message: async (id, prompt) => {
                    await jobs.addMessage(id, prompt);
                    runner.wake();
                },
                archive: async (id) => {
                    await jobs.archive(id);
                    await runner.stop(id);
                },
                ended: async (id) => {
                    const status = await waitUntil("the job has ended", async () => {
                        const job = await jobs.get(projectId, id);
                        return job?.status !== "active" && job?.status;
                    });
                    await runner.stop(id);
                    return { status, log: await logOf(id) };
                },
                restart: async () => {
                    await runner.close();
                    runner = await start();
                },
            });
        } finally {
            await runner.close();
            await cluster.stop();
            await database.close();
        }
    });
}
