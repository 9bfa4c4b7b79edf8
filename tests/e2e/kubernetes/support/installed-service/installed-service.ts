import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { killContainer } from "@pulumi-static-export/cluster";
import { helm, serviceChartFolder } from "../../../../charts/support/render-chart.js";
import { bucket, credentials, S3Server } from "../../../../provider/bundle-mirror/s3-server.js";
import { GitServer } from "../../../../service/support/git-server.js";
import { PostgresServer } from "../../../../service/support/postgres.js";
import { adminKey, domains, ServiceParts, sitePages } from "../../../service/support/service-parts.js";
import { Forwarder } from "../forwarder.js";
import { Namespace } from "../namespace.js";
import { serviceImage } from "./service-image.js";
import { type LocalCluster } from "../shared-cluster.js";

const release = "exports";
/** The site of this one is in a repository, and of the others in a volume. */
export const domainFromGit = String(domains[2]);
const fullName = "exports-static-export-service";

export type Part = "api container" | "api pod" | "worker container" | "worker pod" | "postgres" | "storage";

interface ServicePod {
    metadata: { name: string; deletionTimestamp?: string };
    status: { containerStatuses?: { containerID?: string; state: { running?: object } }[] };
}

/** charts/static-export-service, installed by helm; its database and its bucket run beside the cluster. */
export class InstalledService extends ServiceParts<Part> {
    private constructor(
        private readonly namespace: Namespace,
        /** A folder of the node. */
        private readonly sites: string,
        private readonly postgres: PostgresServer,
        database: string,
        private readonly s3: S3Server,
        private readonly git: GitServer,
        private readonly forwarder: Forwarder,
    ) {
        super(database);
        this.url = forwarder.url;
    }

    static async install(cluster: LocalCluster): Promise<InstalledService> {
        const postgres = await PostgresServer.start(cluster.hostAddress);
        const s3 = await S3Server.start(cluster.hostAddress);
        const git = await GitServer.start({ host: cluster.hostAddress });
        const namespace = await Namespace.create(cluster, "service");
        const sites = await mkdtemp(join(dirname(cluster.kubeconfig), "var", "tmp", "sites-"));
        await chmod(sites, 0o755);
        let target = new URL("http://127.0.0.1");
        const forwarder = await Forwarder.start(() => target);
        const database = await postgres.createDatabase();
        const service = new InstalledService(namespace, sites, postgres, database, s3, git, forwarder);
        try {
            await service.#createObjects();
            await service.upgrade();
            target = new URL(await namespace.serviceUrl(`${fullName}-api`));
            return service;
        } catch (error) {
            const log = await service.log();
            await service.stop();
            throw new Error(`${(error as { stderr?: string }).stderr ?? String(error)}\n${log}`, { cause: error });
        }
    }

    /** What the chart's README asks for: a Secret, and a volume or a repository with each site. */
    async #createObjects(): Promise<void> {
        const secret = {
            "database-url": this.database,
            "admin-api-key": adminKey,
            "access-key-id": credentials.accessKeyId,
            "secret-access-key": credentials.secretAccessKey,
        };
        const literals = Object.entries(secret).map(([key, value]) => `--from-literal=${key}=${value}`);
        await this.namespace.kubectl("create", "secret", "generic", "static-export", ...literals);
        for (const [name, text] of Object.entries(sitePages)) {
            await writeFile(join(this.sites, name), text);
        }
        await this.git.commit(sitePages);
    }

    /** Installs the chart, or upgrades the release; resolves when all pods are ready. */
    async upgrade(values: object = {}): Promise<void> {
        const given = {
            image: { ...serviceImage, pullPolicy: "Never" },
            publicUrl: this.url,
            database: { existingSecret: "static-export" },
            adminKey: { existingSecret: "static-export" },
            bucket: { url: `s3://${bucket}/docs`, endpoint: this.s3.endpoint, existingSecret: "static-export" },
            sites: {
                ...Object.fromEntries(domains.map((domain) => [domain, "/sites/docs"])),
                [domainFromGit]: `git+${this.git.url}#main`,
            },
            extraVolumes: [{ name: "sites", hostPath: { path: `/var/tmp/${basename(this.sites)}` } }],
            extraVolumeMounts: [{ name: "sites", mountPath: "/sites/docs", readOnly: true }],
            // One node for all of them.
            worker: { resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "3584Mi" } } },
            ...values,
        };
        const where = ["--kubeconfig", this.namespace.cluster.kubeconfig, "--namespace", this.namespace.name];
        const subcommand = ["upgrade", "--install", "--wait", "--timeout", "300s", ...where, release];
        await helm(subcommand, given, serviceChartFolder);
    }

    /** Runs the command in a pod of the API. */
    inApiPod(...args: string[]): Promise<string> {
        return this.namespace.kubectl("exec", `deploy/${fullName}-api`, "--", "static-export", ...args);
    }

    /** The pods that are not on their way out. */
    async pods(component: string): Promise<ServicePod[]> {
        const selector = `--selector=app.kubernetes.io/instance=${release},app.kubernetes.io/component=${component}`;
        const text = await this.namespace.kubectl("get", "pods", selector, "--output=json");
        const { items } = JSON.parse(text) as { items: ServicePod[] };
        return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    }

    /** A container gets SIGKILL; a pod is deleted, as when its node is drained. */
    async kill(part: Part): Promise<void> {
        switch (part) {
            case "postgres":
                return this.postgres.kill();
            case "storage":
                return this.s3.kill();
            case "api container":
            case "worker container":
                return this.#killContainer(part.replace(" container", ""));
            default:
                return this.#deletePod(part.replace(" pod", ""));
        }
    }

    async #killContainer(component: string): Promise<void> {
        const containers = (await this.pods(component)).flatMap(({ status }) => status.containerStatuses ?? []);
        const id = containers.find(({ state }) => state.running !== undefined)?.containerID;
        if (id === undefined) {
            throw new Error(`No container of ${component} runs.`);
        }
        await killContainer(this.namespace.cluster, id);
    }

    async #deletePod(component: string): Promise<void> {
        const [pod] = await this.pods(component);
        await this.namespace.kubectl("delete", "pod", String(pod?.metadata.name), "--wait=false");
    }

    /** Kubernetes itself replaces containers and pods. */
    async resume(part: Part): Promise<void> {
        if (part === "postgres") {
            await this.postgres.resume();
        } else if (part === "storage") {
            await this.s3.resume();
        }
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
        this.forwarder.stop();
        await this.git.stop();
        await this.s3.stop();
        await this.postgres.stop();
        await rm(this.sites, { recursive: true });
    }
}
