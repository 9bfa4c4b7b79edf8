import { randomBytes } from "node:crypto";
import { access, chmod, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import {
    CommandError,
    ensureGoTool,
    ensureTool,
    type EnsureOptions,
    formatDuration,
    hostInUrl,
    reporter,
    run,
} from "@pulumi-static-export/toolchain";
import { type Cluster } from "../cluster/cluster.js";
import { ClusterError } from "../cluster/cluster-error.js";
import { writePrivateFile } from "../cluster/cluster-folder.js";
import { type ProcessIdentity } from "../cluster/process-identity.js";
import { type ApiServer, apiServerOrigin, readApi, whyNodeIsNotReady } from "./control-plane/api-server.js";
import { apiServerNames, createCertificates } from "./control-plane/certificates.js";
import { createControlGroup } from "./node/cgroups.js";
import { type ComponentName, componentCommands, configurationFiles } from "./control-plane/components.js";
import { ComponentsRunner } from "./control-plane/components-runner.js";
import { createCredentials, kubeconfig, tokenFile } from "./control-plane/credentials.js";
import { containerd, importCommand, suitableSnapshotter } from "./images/containerd.js";
import { imageRecipes } from "./images/image-recipes.js";
import { imageArchive, type ImageRecipe } from "./images/images.js";
import { readKernelSettings } from "./node/kernel-settings.js";
import { kubernetesNode } from "./node/kubernetes-node.js";
import { stopLocal } from "./local-down.js";
import { type LocalState, localCluster, nodeNameOf, writeLocalState } from "./local-state.js";
import { initialManifests, volumeNames } from "./control-plane/manifests.js";
import { namespaceReadyFile, readInitProcess, runInNamespace, startNamespace } from "./network/node-namespace.js";
import {
    hostInterfacePrefix,
    type NetworkPlan,
    parseRoutes,
    planIpv6Network,
    planNetwork,
} from "./network/network-plan.js";
import { withNetworkLock } from "./network/network-lock.js";
import { connectNode } from "./network/node-network.js";
import { ensureNodeRoot } from "./node/node-root.js";
import { missingRequirements } from "./node/requirements.js";

export interface LocalOptions extends EnsureOptions {
    /** The family of the node's, the pods' and the Services' addresses. @default "IPv4" */
    readonly ipFamily?: "IPv4" | "IPv6";
}

/**
 * Builds the parts that are missing from the cache, and starts a cluster in a new folder.
 *
 * If the start fails or is aborted, stops everything again but keeps the folder with its logs.
 */
export async function startLocal(name: string, folder: string, options: LocalOptions): Promise<Cluster> {
    const missing = await missingRequirements();
    if (missing.length > 0) {
        throw new ClusterError(
            `Cannot start the local cluster ${name}: ${missing.join("; ")}. Alternatively, name a context of your ` +
                `kubeconfig with --context, or install Docker and kind.`,
        );
    }
    const report = reporter(options);
    const nodeRoot = await ensureNodeRoot(options);
    const programs = {
        kubernetes: await ensureGoTool(kubernetesNode, options),
        kubeRouter: await ensureTool("kube-router", options),
    };

    const startedAt = performance.now();
    report(`Starting the local cluster ${name} (state and logs in ${folder}).`);
    try {
        const [state, start] = await withNetworkLock(options, async () => {
            const planned = await planState(name, options);
            await writeLocalState(folder, planned);
            const node = new LocalStart(name, folder, planned.network, nodeRoot, programs, options.signal);
            await node.connect();
            return [planned, node] as const;
        });
        const running = await start.run(report);
        await writeLocalState(folder, { ...state, running });
        report(`Cluster ${name} is up after ${formatDuration(performance.now() - startedAt)}.`);
        return localCluster(name, folder, state.network);
    } catch (error) {
        await stopLocal(name, folder);
        if (error instanceof CommandError) {
            const message = `Cluster ${name} did not start: ${error.message}. All its components were stopped.`;
            throw new ClusterError(`${message}\n${error.lastLines(15)}`, { cause: error });
        }
        throw error;
    }
}

async function planState(name: string, { ipFamily }: LocalOptions): Promise<LocalState> {
    const routes = parseRoutes(await readFile("/proc/net/route", "utf8"));
    const uniqueName = randomBytes(2).toString("hex");
    const network = ipFamily === "IPv6" ? planIpv6Network(uniqueName) : planNetwork(routes, uniqueName);
    if (network === undefined) {
        throw new ClusterError(
            `Cannot start the local cluster ${name}: this machine has routes to all of 10.233.0.0/16.`,
        );
    }
    // While another cluster is running, the current values are not the user's; the other cluster restores the user's
    // values.
    const kernelSettings = (await isAnotherClusterUp()) ? {} : await readKernelSettings();
    return { kind: "local", network, kernelSettings };
}

class LocalStart {
    readonly #nodeName: string;
    readonly #etc: string;
    readonly #runner: ComponentsRunner;
    readonly #credentials: ReturnType<typeof createCredentials>;
    #init!: ProcessIdentity;
    #snapshotter = "";

    constructor(
        private readonly name: string,
        private readonly folder: string,
        private readonly network: NetworkPlan,
        private readonly nodeRoot: string,
        private readonly programs: { readonly kubernetes: string; readonly kubeRouter: string },
        private readonly signal: AbortSignal | undefined,
    ) {
        this.#nodeName = nodeNameOf(name);
        this.#etc = path.join(folder, "etc");
        this.#runner = new ComponentsRunner(name, path.join(folder, "logs"), signal);
        this.#credentials = createCredentials(this.#nodeName);
    }

    /** Starts the node's namespaces and connects them to this machine. */
    async connect(): Promise<void> {
        await mkdir(path.join(this.folder, "logs"), { recursive: true });
        await createControlGroup(this.network.hostInterface);
        const { exited } = await startNamespace({
            nodeRoot: this.nodeRoot,
            kubernetesFolder: path.dirname(this.programs.kubernetes),
            kubeRouterFolder: path.dirname(this.programs.kubeRouter),
            stateFolder: this.folder,
            logFile: this.#runner.logFile("namespace"),
            nodeName: this.#nodeName,
        });
        this.#runner.watch("namespace", exited);
        await this.#runner.waitFor("namespace", 10_000, () =>
            access(namespaceReadyFile(this.folder)).then(() => undefined),
        );
        const init = await readInitProcess(this.folder);
        if (init === undefined) {
            throw new ClusterError(`Cluster ${this.name} did not start: its first process was not recorded.`);
        }
        this.#init = init;
        await connectNode(this.network, init, this.nodeRoot);
    }

    /** Starts the components of a connected node. */
    async run(report: (line: string) => void): Promise<NonNullable<LocalState["running"]>> {
        await this.#prepare();
        await this.#start("containerd", "etcd");
        const imported = this.#importImages();
        // The promise is awaited below; this call prevents an unhandled rejection if the promise fails earlier.
        imported.catch(() => undefined);

        const server = await this.#configure();
        await this.#start("kube-apiserver");
        await this.#runner.waitFor("kube-apiserver", 90_000, () => isAnswered(server, "/readyz"));
        report("The API server is ready.");
        await this.#applyManifests();
        await this.#start("kube-controller-manager", "kube-scheduler", "kube-proxy", "coredns");
        await imported;
        await this.#start("kubelet");
        await this.#runner.waitFor("kubelet", 90_000, () => whyNodeIsNotReady(server, this.#nodeName));
        await this.#start("kube-router");
        await this.#runner.waitFor("kube-controller-manager", 60_000, () =>
            isAnswered(server, "/api/v1/namespaces/default/serviceaccounts/default"),
        );
        await this.#runner.waitFor("kube-proxy", 60_000, () => this.#isHealthy("10256/healthz"));
        await this.#runner.waitFor("kube-router", 60_000, () => this.#isHealthy("20244/healthz"));
        await this.#runner.waitFor("coredns", 60_000, () => this.#isHealthy("8181/ready"));
        const { authority, token } = server;
        return { processes: this.#runner.processes, authority, token };
    }

    async #prepare(): Promise<void> {
        this.#snapshotter = await suitableSnapshotter(this.folder);
        const files = configurationFiles(this.network, this.#nodeName, this.#snapshotter);
        for (const [file, text] of Object.entries(files)) {
            await writePrivateFile(path.join(this.#etc, file), text);
        }
        for (const volume of volumeNames()) {
            const volumeFolder = path.join(this.folder, "var", "local-volumes", volume);
            await mkdir(volumeFolder, { recursive: true });
            await chmod(volumeFolder, 0o777);
        }
    }

    async #start(...names: readonly ComponentName[]): Promise<void> {
        const commands = componentCommands(this.network, this.#nodeName);
        for (const name of names) {
            await this.#runner.start(name, this.#init, commands[name]);
        }
    }

    /** Creates certificates, tokens and kubeconfig files. */
    async #configure(): Promise<ApiServer> {
        const names = apiServerNames(this.network, this.#nodeName);
        await createCertificates(this.#etc, names, (command) => this.#run(command));
        const authority = await readFile(path.join(this.#etc, "ca.crt"), "utf8");
        const origin = apiServerOrigin(this.network);
        await writePrivateFile(path.join(this.#etc, "tokens.csv"), tokenFile(this.#credentials));
        for (const [user, credential] of Object.entries(this.#credentials)) {
            const file = user === "admin" ? path.join(this.folder, "kubeconfig") : path.join(this.#etc, `${user}.json`);
            await writePrivateFile(file, kubeconfig(this.#nodeName, origin, authority, credential));
        }
        await mkdir(path.join(this.folder, "bin"));
        await symlink(this.programs.kubernetes, path.join(this.folder, "bin", "kubectl"));
        return { origin, authority, token: this.#credentials.admin.token };
    }

    async #importImages(): Promise<void> {
        await this.#runner.waitFor("containerd", 30_000, async () => {
            await this.#run([...containerd, "version"]);
            return undefined;
        });
        for (const recipe of Object.values<ImageRecipe>(imageRecipes)) {
            await this.#run(importCommand(recipe, imageArchive(recipe), this.#snapshotter));
        }
    }

    async #applyManifests(): Promise<void> {
        const file = path.join(this.#etc, "initial-manifests.json");
        await writePrivateFile(file, JSON.stringify(initialManifests(this.#nodeName)));
        const { kubeconfig, kubectl } = localCluster(this.name, this.folder, this.network);
        const args = ["--kubeconfig", kubeconfig, "create", "--validate=false", "--filename", file];
        await run(kubectl, args, { signal: this.signal });
    }

    async #isHealthy(portAndPath: string): Promise<string | undefined> {
        const { ok, status } = await fetch(`http://${hostInUrl(this.network.nodeAddress)}:${portAndPath}`);
        return ok ? undefined : `it answered with status ${status}`;
    }

    #run(command: readonly string[]): Promise<string> {
        return runInNamespace(this.#init, command, { signal: this.signal });
    }
}

async function isAnotherClusterUp(): Promise<boolean> {
    const interfaces = await readdir("/sys/class/net");
    return interfaces.some((name) => name.startsWith(hostInterfacePrefix));
}

async function isAnswered(server: ApiServer, path: string): Promise<undefined> {
    await readApi(server, path);
    return undefined;
}
