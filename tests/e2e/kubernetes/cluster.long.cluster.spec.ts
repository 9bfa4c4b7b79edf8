import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { access, readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Cluster, clusterDown, clusterStatus, clusterUp } from "@pulumi-static-export/cluster";
import { clusterFolder } from "../../../dev/cluster/src/cluster/cluster-folder.js";
import { imageRecipes } from "../../../dev/cluster/src/local/images/image-recipes.js";
import { controlGroupExists } from "../../../dev/cluster/src/local/node/cgroups.js";
import { hostInterfacePrefix } from "../../../dev/cluster/src/local/network/network-plan.js";
import { readKernelSettings } from "../../../dev/cluster/src/local/node/kernel-settings.js";
import { readInitProcess } from "../../../dev/cluster/src/local/network/node-namespace.js";
import { isRunning, type ProcessIdentity } from "../../../dev/cluster/src/cluster/process-identity.js";
import { waitFor } from "../../../dev/cluster/src/cluster/wait-for.js";
import { startCommand } from "../support/run-command.js";
import { skipWithoutCluster } from "./support/skip-without-cluster.js";

const name = "cluster-spec";
const folder = clusterFolder(name);
const options = { name, kind: "local" } as const;
const quiet = { ...options, onProgress: () => undefined };
const run = promisify(execFile);

/** A web server, in an image that also contains curl. */
const { reference: image } = imageRecipes.nginx;

const site = {
    apiVersion: "v1",
    kind: "List",
    items: [
        {
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "site", labels: { app: "site" } },
            spec: {
                securityContext: { runAsNonRoot: true, runAsUser: 101 },
                containers: [
                    {
                        name: "nginx",
                        image,
                        readinessProbe: { httpGet: { path: "/", port: 8080 }, periodSeconds: 1 },
                        securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
                        volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
                    },
                ],
                volumes: [{ name: "tmp", emptyDir: {} }],
            },
        },
        {
            apiVersion: "v1",
            kind: "Service",
            metadata: { name: "site" },
            spec: {
                type: "NodePort",
                selector: { app: "site" },
                ports: [{ port: 80, targetPort: 8080, nodePort: 30080 }],
            },
        },
        {
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "client" },
            spec: {
                terminationGracePeriodSeconds: 0,
                containers: [{ name: "client", image, command: ["sleep", "3600"] }],
            },
        },
    ],
};

const nothingReachesSite = {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "nothing-reaches-site" },
    spec: { podSelector: { matchLabels: { app: "site" } }, policyTypes: ["Ingress"] },
};

async function recordedState() {
    return JSON.parse(await readFile(path.join(folder, "state.json"), "utf8")) as {
        network: { hostInterface: string };
        running: { processes: Record<"kube-scheduler", ProcessIdentity> };
    };
}

/**
 * Finds the parts on this machine that belong to the running cluster with this interface; other clusters may start and
 * stop in the meantime.
 */
async function partsOnMachine(hostInterface: string) {
    const routes = (await readFile("/proc/net/route", "utf8")).split("\n");
    const mounts = (await readFile("/proc/self/mountinfo", "utf8")).split("\n");
    return {
        interfaces: (await readdir("/sys/class/net")).filter((each) => each === hostInterface),
        routes: routes.filter((line) => line.startsWith(`${hostInterface}\t`)),
        mounts: mounts.filter((line) => line.includes(`${folder}/`)),
        hasControlGroup: await controlGroupExists(hostInterface),
    };
}

const nothing: Awaited<ReturnType<typeof partsOnMachine>> = {
    interfaces: [],
    routes: [],
    mounts: [],
    hasControlGroup: false,
};

/** Returns the kernel's settings; undefined while any cluster is running, because all clusters share the settings. */
async function userSettings() {
    const interfaces = await readdir("/sys/class/net");
    return interfaces.some((each) => each.startsWith(hostInterfacePrefix)) ? undefined : readKernelSettings();
}

describe("a local cluster", () => {
    let cluster: Cluster;
    let settingsBefore: Awaited<ReturnType<typeof userSettings>>;
    let server: Server;

    const kubectl = async (...args: string[]) =>
        (await run(cluster.kubectl, ["--kubeconfig", cluster.kubeconfig, ...args])).stdout;
    const inClient = (...command: string[]) => kubectl("exec", "client", "--", ...command);
    const curlFromClient = (address: string) => inClient("curl", "-sS", "--fail", "--max-time", "5", address);

    before(async function () {
        await skipWithoutCluster(this);
        // With an empty cache, Kubernetes is compiled first.
        this.timeout(30 * 60_000);
        await clusterDown(quiet);
        settingsBefore = await userSettings();
        cluster = await clusterUp(options);
        server = createServer((_request, response) => response.end("from this machine")).listen(0, cluster.hostAddress);
        await once(server, "listening");
    });

    after(async () => {
        server?.close();
        await clusterDown(quiet);
    });

    const assertSettingsRestored = async () => {
        const settings = await userSettings();
        // The settings depend on other clusters that were up when this cluster started, or are still up.
        if (settingsBefore !== undefined && settings !== undefined) {
            assert.deepEqual(settings, settingsBefore);
        }
    };

    const serverAddress = () => ({ address: cluster.hostAddress ?? "", port: (server.address() as AddressInfo).port });

    it("runs a pod that responds through a Service to this machine and to other pods", async () => {
        const applied = execFile(cluster.kubectl, ["--kubeconfig", cluster.kubeconfig, "apply", "-f", "-"]);
        applied.stdin?.end(JSON.stringify(site));
        assert.deepEqual(await once(applied, "exit"), [0, null]);
        await kubectl("wait", "--for=condition=Ready", "pod/site", "pod/client", "--timeout=120s");

        const missing = await waitFor(
            async () => {
                const response = await fetch(`http://${cluster.nodeAddress}:30080/`);
                return response.ok ? undefined : `status ${response.status}`;
            },
            { timeoutMs: 30_000 },
        );
        assert.equal(missing, undefined);
        assert.match(await curlFromClient("http://site.default.svc.cluster.local/"), /<h1>nginx<\/h1>/);
    });

    it("lets pods reach a server on this machine", async () => {
        const { address, port } = serverAddress();
        assert.equal(await curlFromClient(`http://${address}:${port}/`), "from this machine");
    });

    it("enforces NetworkPolicies", async () => {
        const apply = execFile(cluster.kubectl, ["--kubeconfig", cluster.kubeconfig, "apply", "-f", "-"]);
        apply.stdin?.end(JSON.stringify(nothingReachesSite));
        assert.deepEqual(await once(apply, "exit"), [0, null]);
        const isRefused = () =>
            curlFromClient("http://site/").then(
                () => "the site answers",
                () => undefined,
            );
        assert.equal(await waitFor(isRefused, { timeoutMs: 30_000 }), undefined);
        await kubectl("delete", "networkpolicy", nothingReachesSite.metadata.name);
        const isAnswered = () => curlFromClient("http://site/").then(() => undefined, String);
        assert.equal(await waitFor(isAnswered, { timeoutMs: 30_000 }), undefined);
    });

    it("reports which component has exited, and is replaced by the next up", async () => {
        const init = (await readInitProcess(folder)) as ProcessIdentity;
        const { pid } = (await recordedState()).running.processes["kube-scheduler"];
        // The recorded process entered the namespaces; the component is its only child.
        process.kill(Number(await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")), "SIGKILL");
        const state = async () => (await clusterStatus(options)).problems.join();
        const ended = `kube-scheduler has ended; see ${folder}/logs/kube-scheduler.log.`;
        await waitFor(async () => ((await state()) === ended ? undefined : "not noticed yet"), { timeoutMs: 60_000 });
        assert.equal(await state(), ended);

        const lines: string[] = [];
        cluster = await clusterUp({ ...options, onProgress: (line) => lines.push(line) });
        assert.equal(lines[0], `Replacing the cluster ${name}. ${ended}`);
        assert.equal(await isRunning(init), false);
        assert.equal((await clusterStatus(options)).state, "running");
    });

    it("replaces the leftovers of an up that was killed", async () => {
        await clusterDown(quiet);
        const main = fileURLToPath(import.meta.resolve("../../../dev/cluster/dist/main.js"));
        const up = startCommand(process.execPath, [main, "up", "--name", name], {
            cwd: "/",
            env: { ...process.env, STATIC_EXPORT_CLUSTER: "local" },
        });
        await up.seen(/The API server is ready/);
        up.child.kill("SIGKILL");
        await up.result;
        const left = (await readInitProcess(folder)) as ProcessIdentity;
        assert.equal(await isRunning(left), true);

        cluster = await clusterUp(quiet);
        assert.equal(await isRunning(left), false);
        assert.equal((await clusterStatus(options)).state, "running");
    });

    it("stops everything that it started if up is interrupted", async () => {
        await clusterDown(quiet);
        const interrupted = new AbortController();
        const reason = new Error("enough");
        const onProgress = (line: string) => line === "The API server is ready." && interrupted.abort(reason);
        await assert.rejects(clusterUp({ ...options, signal: interrupted.signal, onProgress }), reason);
        const { network } = await recordedState();
        assert.deepEqual(await partsOnMachine(network.hostInterface), nothing);
        await assertSettingsRestored();
    });

    it("leaves nothing behind after clusterDown", async () => {
        cluster = await clusterUp(quiet);
        const init = (await readInitProcess(folder)) as ProcessIdentity;
        const { network } = await recordedState();
        const { interfaces, routes, hasControlGroup } = await partsOnMachine(network.hostInterface);
        assert.deepEqual([interfaces.length, routes.length > 0, hasControlGroup], [1, true, true]);

        await clusterDown(quiet);
        assert.equal(await isRunning(init), false);
        await assert.rejects(access(folder), { code: "ENOENT" });
        assert.deepEqual(await partsOnMachine(network.hostInterface), nothing);
        await assertSettingsRestored();
        assert.deepEqual(await clusterStatus(options), { name, state: "absent", problems: [] });
    });
});
