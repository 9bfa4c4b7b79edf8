import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { basename, dirname, join } from "node:path";
import { cutPod, reconnectPod } from "@pulumi-static-export/cluster";
import { AdminClient } from "@pulumi-static-export/sdk";
import { helm, serviceChartFolder } from "../../../../charts/support/render-chart.js";
import { bucket, credentials, S3Server } from "../../../../provider/bundle-mirror/s3-server.js";
import { GitServer } from "../../../../service/support/git-server.js";
import { PostgresServer } from "../../../../service/support/postgres.js";
import { adminKey, type Run, ServiceParts, siteDomains, sitePages } from "../../../service/support/service-parts.js";
import { withLog } from "../../../service/support/with-log.js";
import { slowExports } from "../../../../support/slow-exports.js";
import { waitUntil } from "../../../../wait-until.js";
import { Forwarder } from "../forwarder.js";
import { Namespace } from "../namespace.js";
import { AgentGate, projectId } from "./agents-in-pods.js";
import { ProviderForPods } from "./provider-for-pods.js";
import { serviceImage, slowExportsInImage } from "./service-image.js";
import { isReady, release, type ServicePod, ServicePods } from "./service-pods.js";
import { type LocalCluster } from "../shared-cluster.js";

export const domains = siteDomains(3);
/** The domain whose site is in a repository; the sites of other domains are in a volume. */
export const domainFromGit = String(domains[2]);
const fullName = "exports-static-export-service";
/** The numbers of API processes and workers. */
export const replicas = 3;

/** Exports take this much longer than necessary, so that each kill interrupts some exports. */
const exportDelayMs = 3000;

/** The parts that specs end: they kill containers, evict pods, and cut the network of a worker. */
export type Part =
    | "api container"
    | "api pod"
    | "worker container"
    | "worker pod"
    | "worker network"
    | "postgres"
    | "storage";

/** Returns whether a worker with this log is running the job. */
function isRunOf(jobId: string, log: string): boolean {
    const [last = ""] = log
        .split("\n")
        .filter((line) => line.includes(`Export job ${jobId} of `))
        .slice(-1);
    return / (?:started|exports commit)/.test(last);
}

/** charts/static-export-service, installed by helm; its database and its bucket run outside the cluster. */
export class InstalledService extends ServiceParts<Part> {
    readonly pods: ServicePods;
    readonly admin: AdminClient;
    #cutOff: ServicePod | undefined;

    private constructor(
        private readonly namespace: Namespace,
        /** A folder of the node. */
        private readonly sites: string,
        private readonly postgres: PostgresServer,
        database: string,
        private readonly s3: S3Server,
        readonly git: GitServer,
        /** Makes agents wait until the spec opens the gate. */
        readonly gate: AgentGate,
        private readonly forwarder: Forwarder,
        private readonly provider: ProviderForPods,
    ) {
        super(database, domains);
        this.url = forwarder.url;
        this.pods = new ServicePods(namespace);
        this.admin = new AdminClient({ baseUrl: this.url, adminApiKey: adminKey });
    }

    static async install(cluster: LocalCluster): Promise<InstalledService> {
        const postgres = await PostgresServer.start(cluster.hostAddress);
        const s3 = await S3Server.start(cluster.hostAddress);
        const git = await GitServer.start({ host: cluster.hostAddress });
        const gate = await AgentGate.start(cluster.hostAddress);
        const namespace = await Namespace.create(cluster, "service");
        const sites = await mkdtemp(join(dirname(cluster.kubeconfig), "var", "tmp", "sites-"));
        await chmod(sites, 0o755);
        let target = new URL("http://127.0.0.1");
        const forwarder = await Forwarder.start(() => target);
        const database = await postgres.createDatabase();
        const provider = await ProviderForPods.start(namespace, forwarder.url);
        const service = new InstalledService(namespace, sites, postgres, database, s3, git, gate, forwarder, provider);
        try {
            await withLog(service, async () => {
                await service.#createObjects();
                await service.upgrade();
                target = new URL(await namespace.serviceUrl(`${fullName}-api`));
            });
            return service;
        } catch (error) {
            await service.stop();
            throw error;
        }
    }

    /** Creates the objects that the chart's README requires: a Secret, and a volume or a repository with each site. */
    async #createObjects(): Promise<void> {
        const secret = {
            "database-url": this.database,
            "admin-api-key": adminKey,
            "access-key-id": credentials.accessKeyId,
            "secret-access-key": credentials.secretAccessKey,
            "client-secret": "client-secret",
        };
        const literals = Object.entries(secret).map(([key, value]) => `--from-literal=${key}=${value}`);
        await this.namespace.kubectl("create", "secret", "generic", "static-export", ...literals);
        for (const [name, text] of Object.entries(sitePages)) {
            await writeFile(join(this.sites, name), text);
        }
        await this.git.commit(sitePages);
    }

    /** Installs the chart, or upgrades the release; resolves when all pods are ready, and none from before is left. */
    async upgrade(values: object = {}): Promise<void> {
        const { extraVolumes, extraVolumeMounts, extraEnv, ...signIn } = this.provider.valuesOf("static-export", {
            staff: { scopes: ["read"], domains: [domains[0]] },
        });
        const slow = Object.entries(slowExports(exportDelayMs, slowExportsInImage));
        const given = {
            ...signIn,
            image: { ...serviceImage, pullPolicy: "Never" },
            publicUrl: this.url,
            database: { existingSecret: "static-export" },
            adminKey: { existingSecret: "static-export" },
            bucket: { url: `s3://${bucket}/docs`, endpoint: this.s3.endpoint, existingSecret: "static-export" },
            sites: {
                ...Object.fromEntries(domains.map((domain) => [domain, "/sites/docs"])),
                [domainFromGit]: `git+${this.git.url}#main`,
            },
            extraVolumes: [{ name: "sites", hostPath: { path: `/var/tmp/${basename(this.sites)}` } }, ...extraVolumes],
            extraVolumeMounts: [{ name: "sites", mountPath: "/sites/docs", readOnly: true }, ...extraVolumeMounts],
            extraEnv: [...slow.map(([name, value]) => ({ name, value })), ...extraEnv],
            networkPolicy: { egressPorts: [Number(new URL(this.database).port)] },
            api: { replicaCount: replicas },
            worker: {
                replicaCount: replicas,
                // All pods share one node.
                resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "3584Mi" } },
            },
            agents: this.agentsRunning(this.gate.command),
            ...values,
        };
        const where = ["--kubeconfig", this.namespace.cluster.kubeconfig, "--namespace", this.namespace.name];
        const subcommand = ["upgrade", "--install", "--wait", "--timeout", "300s", ...where, release];
        await helm(subcommand, given, serviceChartFolder);
        // helm does not wait for the pods from before, which read the new sites file but lack the new options.
        const deployments = (await this.kubectl("get", "deployments", "-o", "name")).trim().split("\n");
        for (const deployment of deployments) {
            await this.kubectl("rollout", "status", deployment, "--timeout=300s");
        }
    }

    /** The values of the chart for agents that run this command in their pods. */
    agentsRunning(command: readonly string[], pods: object = {}): object {
        const { hostAddress } = this.namespace.cluster;
        const gate = { ipBlock: { cidr: `${hostAddress}/${isIPv6(hostAddress) ? 128 : 32}` } };
        return {
            projects: { [projectId]: `${this.git.url}#main` },
            command,
            replicaCount: 2,
            logs: { enabled: true, existingSecret: "static-export" },
            extraArgs: ["--agent-pr-link=https://forge.example.com/compare/{branch}"],
            resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { memory: "1Gi" } },
            pods: {
                resources: { requests: { cpu: "50m", memory: "32Mi" }, limits: { memory: "512Mi" } },
                networkPolicy: { reach: [{ to: [gate], ports: [{ protocol: "TCP", port: this.gate.port }] }] },
                ...pods,
            },
        };
    }

    /** In the release's namespace. */
    kubectl(...args: string[]): Promise<string> {
        return this.namespace.kubectl(...args);
    }

    /** Runs the command in an API pod. */
    inApiPod(...args: string[]): Promise<string> {
        return this.namespace.kubectl("exec", `deploy/${fullName}-api`, "--", "static-export", ...args);
    }

    /** Kills a part; "worker" means a worker for exports. */
    async kill(part: Part): Promise<void> {
        switch (part) {
            case "postgres":
                return this.postgres.kill();
            case "storage":
                return this.s3.kill();
            case "api container":
                return this.pods.kill("api", await this.#apiPod());
            case "worker container":
                return this.pods.kill("worker", (await this.#exportingWorker()).pod);
            case "api pod":
                return this.pods.evictWhenAllowed(await this.#apiPod());
            case "worker pod":
                return this.pods.evictWhenAllowed((await this.#exportingWorker()).pod);
            case "worker network":
                return this.#cutWorker();
        }
    }

    async resume(part: Part): Promise<void> {
        switch (part) {
            case "postgres":
                return this.postgres.resume();
            case "storage":
                return this.s3.resume();
            case "worker network":
                return this.#reconnectWorker();
            default:
                // Kubernetes replaces containers and pods by itself.
                await this.#apiPod();
        }
    }

    /** Returns one of the API's pods when all of them are ready. */
    async #apiPod(): Promise<ServicePod | undefined> {
        return (await this.pods.ready("api", replicas))[0];
    }

    /** Finds a worker that is exporting, with its runs. */
    #exportingWorker(): Promise<{ pod: ServicePod; runs: Run[] }> {
        return waitUntil("a worker exports", async () => {
            const running = await this.runs();
            for (const pod of (await this.pods.list("worker")).filter(isReady)) {
                const log = await this.pods.logOf(pod);
                const runs = running.filter(({ job_id: jobId }) => isRunOf(jobId, log));
                if (runs.length > 0) {
                    return { pod, runs };
                }
            }
            return undefined;
        });
    }

    /** Resolves when other workers have taken over the worker's jobs. */
    async #cutWorker(): Promise<void> {
        const { pod, runs } = await this.#exportingWorker();
        this.#cutOff = pod;
        await cutPod(this.namespace.cluster, String(pod.status.podIP));
        await this.givenAway(runs);
    }

    /** Resolves when the worker has noticed that it lost its jobs. */
    async #reconnectWorker(): Promise<void> {
        const pod = this.#cutOff;
        assert.ok(pod !== undefined);
        await reconnectPod(this.namespace.cluster, String(pod.status.podIP));
        const isKnown = /was given to another worker: this (?:run has ended|result is dropped)/;
        await waitUntil("the worker knows that its jobs were given away", async () =>
            isKnown.test(await this.pods.logOf(pod)),
        );
    }

    /** Finds the pod whose agent works on the job. The pod's log names the job a moment after the agent has started. */
    agentPodOf(jobId: string): Promise<ServicePod> {
        return waitUntil(`a pod is ready that works on the agent job ${jobId}`, async () => {
            for (const pod of (await this.pods.list("agent-worker")).filter(isReady)) {
                if ((await this.pods.logOf(pod)).includes(`Agent job ${jobId} of project ${projectId} started.`)) {
                    return pod;
                }
            }
            return undefined;
        });
    }

    /** Reads the logs of an agent job's runs from the bucket, in the order of the runs. */
    async agentLogs(jobId: string): Promise<string[]> {
        const folder = `docs/agent-logs/${jobId}/`;
        const keys = (await this.s3.keys()).filter((key) => key.startsWith(folder));
        return Promise.all(keys.map(async (key) => (await this.s3.read(key)).toString()));
    }

    stored(): Promise<string[]> {
        return this.s3.bundles("docs");
    }

    async log(): Promise<string> {
        const ofRelease = `--selector=app.kubernetes.io/instance=${release}`;
        const described = await this.namespace.kubectl("get", "pods,jobs,events").catch(String);
        return described + (await this.namespace.kubectl("logs", ofRelease, "--prefix", "--tail=100").catch(String));
    }

    async stop(): Promise<void> {
        await this.namespace.remove();
        this.admin.close();
        this.forwarder.stop();
        this.gate.stop();
        await this.provider.stop();
        await this.git.stop();
        await this.s3.stop();
        await this.postgres.stop();
        await rm(this.sites, { recursive: true });
    }
}
