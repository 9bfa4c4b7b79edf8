import assert from "node:assert/strict";
import { waitFor } from "../../../dev/cluster/src/cluster/wait-for.js";
import { nodeNameOf } from "../../../dev/cluster/src/local/local-state.js";
import { BundleServer } from "../../charts/support/bundle-server.js";
import { siteArchive, siteFiles } from "./support/archives/site-archives.js";
import { fetchFailure } from "./support/fetch-failures.js";
import { HelmRelease } from "./support/helm-release.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { clusterValues, siteName } from "./support/site-stack.js";
import { withStoppedApi } from "./support/stopped-api.js";
import { answersOf, Visitors } from "./support/visitors.js";

const replicaCount = 2;

const nothingAllowed = JSON.stringify({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "nothing" },
    spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] },
});

describe("a site in a namespace that denies all connections from the beginning", () => {
    const cluster = useSharedCluster();
    let storage: BundleServer;
    let namespace: Namespace;
    let release: HelmRelease;

    const valuesOf = (version: string, values: object = {}) => ({
        replicaCount,
        podLabels: { drill: namespace.name },
        staticExport: { enabled: true, bundleUrl: storage.link(`/${version}.tar.gz`), version },
        ...values,
    });
    const complete = async () =>
        (await namespace.readyPods()).length === replicaCount ? undefined : (await namespace.readyPods()).join();

    /** Counts the failed requests of visitors during an action, and prints them. */
    const visitedDuring = async (
        action: string,
        act: (visitors: Visitors) => Promise<void>,
    ): Promise<readonly string[]> => {
        const contents = Object.fromEntries(
            ["old", "next", "last"].map((version) => [version, { "/": siteFiles(version)["/index.html"] ?? "" }]),
        );
        const url = await namespace.serviceUrl(siteName());
        const visitors = new Visitors(url, contents, ["/"], { ofEachKind: 2, pauseMs: 10 });
        try {
            await act(visitors);
        } finally {
            await visitors.leave();
        }
        const { failures } = await visitors.leave();
        console.log(`      ${answersOf(visitors)} answers ${action}, and ${failures.length} failures`);
        assert.ok(answersOf(visitors) > 100);
        return failures;
    };

    before(async () => {
        storage = await BundleServer.start(undefined, cluster().hostAddress);
        storage.answer = ({ url = "" }, response) => {
            void siteArchive(/^\/(\w+)/.exec(url)?.[1] ?? "").then((content) => response.end(content));
        };
        namespace = await Namespace.create(cluster(), "drills");
        await namespace.apply(nothingAllowed);
        release = new HelmRelease(namespace);
        await release.upgrade(valuesOf("old"));
    });
    after(async () => {
        storage?.stop();
        await namespace?.remove();
    });

    it("starts, because its own NetworkPolicy allows what its pods need", async () => {
        assert.equal((await namespace.readyPods()).length, replicaCount);
        const page = await (await fetch(await namespace.serviceUrl(siteName()))).text();
        assert.equal(page, siteFiles("old")["/index.html"]);
    });

    it("stays up if new pods may not reach the storage, and their message names the network", async () => {
        const networkPolicy = { egressTo: [{ ipBlock: { cidr: "192.0.2.0/24" } }] };
        const { fetch } = clusterValues(cluster());
        // The network plugin may enforce the policy only when the pod is already running.
        const waiting = {
            name: "wait",
            image: cluster().images.node,
            imagePullPolicy: "Never",
            command: ["sleep", "10"],
        };
        const fetching = { fetch: { ...fetch, attempts: 1 }, initContainers: [waiting] };
        const failures = await visitedDuring("while new pods cannot fetch", async () => {
            await assert.rejects(release.upgrade(valuesOf("new", { networkPolicy, ...fetching }), "--timeout", "5s"));
            const messages = async () => (await namespace.pods()).flatMap((pod) => fetchFailure(pod) ?? []).join("\n");
            const named = async () =>
                (await messages()).includes("networkPolicy.egressTo") ? undefined : `messages: ${await messages()}`;
            const missing = await waitFor(named, { timeoutMs: 90_000 });
            await release.upgrade(valuesOf("old"));
            assert.equal(missing, undefined);
        });
        assert.deepEqual(failures, []);
    });

    it("answers while its only node is drained, and is complete when the node is back", async () => {
        const node = nodeNameOf(cluster().name);
        const ofSite = `--pod-selector=drill=${namespace.name}`;
        const failures = await visitedDuring("while the node is drained", async () => {
            const draining = namespace.kubectl("drain", node, ofSite, "--delete-emptydir-data", "--timeout=30s");
            await assert.rejects(draining, ({ stderr }: { stderr: string }) => /disruption budget/.test(stderr));
            assert.equal((await namespace.readyPods()).length, 1);
            await namespace.kubectl("uncordon", node);
            assert.equal(await waitFor(complete, { timeoutMs: 120_000 }), undefined);
        });
        assert.deepEqual(failures, []);
    });

    it("answers while the Kubernetes API is stopped, and is upgraded when the API is back", async () => {
        const failures = await visitedDuring("while the API is stopped", (visitors) =>
            withStoppedApi(cluster(), async () => {
                const enough = () =>
                    Promise.resolve(answersOf(visitors) >= 1000 ? undefined : String(answersOf(visitors)));
                assert.equal(await waitFor(enough, { timeoutMs: 120_000 }), undefined);
            }),
        );
        assert.deepEqual(failures, []);
        await release.upgrade(valuesOf("next"));
    });

    it("is upgraded after somebody has changed an object by hand, as the guide says", async () => {
        const edit = ["label", "service", siteName(), "--overwrite", "app.kubernetes.io/version=mine"];
        await namespace.kubectl(...edit, "--field-manager=kubectl-edit");
        const conflict = /conflict with "kubectl-edit"/;
        const upgrading = release.upgrade(valuesOf("last"), "--server-side=true");
        await assert.rejects(upgrading, (error: Error) =>
            conflict.test(String((error as { stderr?: string }).stderr ?? error)),
        );
        await release.upgrade(valuesOf("last"), "--server-side=true", "--force-conflicts");
    });

    // The last one: for a moment, connections still go to the pod that Kubernetes kills.
    it("replaces a pod whose local storage is full", async () => {
        const [pod = ""] = await namespace.readyPods();
        const failures = await visitedDuring("while a pod fills its storage", async () => {
            const fill = "head -c 100000000 /dev/zero > /tmp/full";
            await namespace.kubectl("exec", pod, "--container=nginx", "--", "sh", "-c", fill);
            const replaced = async () =>
                (await namespace.readyPods()).includes(pod) ? `${pod} is still there` : complete();
            assert.equal(await waitFor(replaced, { timeoutMs: 120_000 }), undefined);
        });
        const message = "--output=jsonpath={.items[*].message}";
        const evictions = await namespace.kubectl("get", "events", "--field-selector=reason=Evicted", message);
        assert.match(evictions, /EmptyDir volume "tmp" exceeds the limit/);
        // Kubernetes kills this pod without its drain, so connections to it may break. No answer is wrong.
        const broken = /ECONNREFUSED|ECONNRESET|EHOSTUNREACH|socket hang up|broken off|no answer within/;
        assert.deepEqual(
            failures.filter((failure) => !broken.test(failure)),
            [],
        );
    });
});
