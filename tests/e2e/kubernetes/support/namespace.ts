import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { hostInUrl } from "@pulumi-static-export/toolchain";
import { type LocalCluster } from "./shared-cluster.js";

const run = promisify(execFile);

export interface KubernetesObject {
    kind: string;
    metadata: { name: string; labels?: Record<string, string>; deletionTimestamp?: string };
}

export interface ContainerStatus {
    name: string;
    restartCount: number;
    state: ContainerState;
    lastState: ContainerState;
}

export interface ContainerState {
    waiting?: { reason?: string };
    terminated?: { exitCode: number; message?: string };
}

export interface Pod extends KubernetesObject {
    status: {
        phase: string;
        conditions?: { type: string; status: string }[];
        initContainerStatuses?: ContainerStatus[];
    };
}

/** A separate namespace for one spec, with the queries that specs need. */
export class Namespace {
    private constructor(
        readonly cluster: LocalCluster,
        readonly name: string,
    ) {}

    static async create(cluster: LocalCluster, purpose: string): Promise<Namespace> {
        const namespace = new Namespace(cluster, `${purpose}-${randomBytes(3).toString("hex")}`);
        await kubectl(cluster, ["create", "namespace", namespace.name]);
        return namespace;
    }

    kubectl(...args: string[]): Promise<string> {
        return kubectl(this.cluster, ["--namespace", this.name, ...args]);
    }

    /** Creates or changes the objects of a YAML or JSON text. */
    async apply(text: string, ...flags: string[]): Promise<void> {
        await kubectl(this.cluster, ["--namespace", this.name, "apply", ...flags, "--filename", "-"], text);
    }

    /** Returns what `apply` would change; an empty text for nothing. */
    async diff(text: string): Promise<string> {
        try {
            return await kubectl(this.cluster, ["--namespace", this.name, "diff", "--filename", "-"], text);
        } catch (error) {
            // kubectl ends with 1 if there are differences.
            const { code, stdout } = error as { code?: number; stdout?: string };
            if (code === 1 && stdout) {
                return stdout;
            }
            throw error;
        }
    }

    async get<T extends KubernetesObject>(kind: string, name: string): Promise<T> {
        return JSON.parse(await this.kubectl("get", kind, name, "--output=json")) as T;
    }

    /** Lists the pods of a release that are not terminating. */
    async pods(release = "docs"): Promise<Pod[]> {
        const ofRelease = `--selector=app.kubernetes.io/name=documentation-site,app.kubernetes.io/instance=${release}`;
        const pods = JSON.parse(await this.kubectl("get", "pods", ofRelease, "--output=json")) as { items: Pod[] };
        return pods.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    }

    async podNames(release?: string): Promise<string[]> {
        return (await this.pods(release)).map(({ metadata }) => metadata.name).sort();
    }

    /** Lists the pods that visitors reach through the Service. */
    async readyPods(): Promise<string[]> {
        const isReady = ({ status }: Pod) =>
            status.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") === true;
        return (await this.pods())
            .filter(isReady)
            .map(({ metadata }) => metadata.name)
            .sort();
    }

    /** Waits until the last terminating pod has ended; fails if a pod remains. */
    async podsGone(...names: string[]): Promise<void> {
        const which = names.length > 0 ? names.map((name) => `pod/${name}`) : ["pods", "--all"];
        await this.kubectl("wait", "--for=delete", ...which, "--timeout=90s");
    }

    /** Returns the address of a Service for this machine, which has a route into the cluster. */
    async serviceUrl(service: string): Promise<string> {
        const output = "--output=jsonpath={.spec.clusterIP} {.spec.ports[0].port}";
        const [address = "", port] = (await this.kubectl("get", "service", service, output)).split(" ");
        return `http://${hostInUrl(address)}:${port}`;
    }

    async fetchLog(pod: string): Promise<string> {
        return this.kubectl("logs", pod, "--container=fetch-bundle");
    }

    /** Requests the eviction of a pod, as `kubectl drain` does. @returns whether its budget allows the eviction now */
    async evict(pod: string): Promise<boolean> {
        const path = `/api/v1/namespaces/${this.name}/pods/${pod}/eviction`;
        const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: pod, namespace: this.name } };
        try {
            await kubectl(this.cluster, ["create", "--raw", path, "--filename", "-"], JSON.stringify(eviction));
            return true;
        } catch (error) {
            if (String(error).includes("would violate the pod's disruption budget")) {
                return false;
            }
            throw error;
        }
    }

    /**
     * Lists the namespace's objects of all listable kinds, as kind/name, except the objects that every new namespace
     * contains.
     */
    async everything(): Promise<string[]> {
        const kinds = await kubectl(this.cluster, ["api-resources", "--namespaced", "--verbs=list", "--output=name"]);
        const listed = await this.kubectl(
            "get",
            kinds.trim().split("\n").join(","),
            "--output=name",
            "--ignore-not-found",
        );
        // Events are ignored: they are only a record, and expire by themselves.
        const builtIn = /^(configmap\/kube-root-ca\.crt|serviceaccount\/default|event(\.events\.k8s\.io)?\/.*|)$/;
        return listed.split("\n").filter((name) => !builtIn.test(name));
    }

    async remove(): Promise<void> {
        await kubectl(this.cluster, ["delete", "namespace", this.name, "--wait=false"]);
    }
}

async function kubectl(cluster: LocalCluster, args: readonly string[], input = ""): Promise<string> {
    const options = { maxBuffer: 32 * 1024 * 1024 };
    const running = run(cluster.kubectl, ["--kubeconfig", cluster.kubeconfig, ...args], options);
    running.child.stdin?.end(input);
    return (await running).stdout;
}
