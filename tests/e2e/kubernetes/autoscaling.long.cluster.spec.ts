import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { BundleServer } from "../../charts/support/bundle-server.js";
import { siteArchive, siteFiles } from "./support/archives/site-archives.js";
import { HelmRelease } from "./support/helm-release.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { siteName } from "./support/site-stack.js";
import { Visitors } from "./support/visitors.js";

for (const [title, flags] of [
    ["client-side apply, as in Helm 3", ["--server-side=false"]],
    ["server-side apply, as in Helm 4", ["--server-side=true"]],
] as const) {
    describe(`a site for which autoscaling is enabled, with ${title},`, () => {
        const cluster = useSharedCluster();
        let storage: BundleServer;
        let namespace: Namespace;
        let release: HelmRelease;

        const valuesOf = (values: object) => ({
            replicaCount: 4,
            resources: { requests: { cpu: "10m", memory: "16Mi" } },
            staticExport: { enabled: true, bundleUrl: storage.link(), version: "1" },
            ...values,
        });
        const autoscaling = { enabled: true, minReplicas: 2, maxReplicas: 6 };

        before(async () => {
            storage = await BundleServer.start(undefined, cluster().hostAddress);
            storage.serve(await siteArchive("1"));
            namespace = await Namespace.create(cluster(), "autoscaling");
            release = new HelmRelease(namespace, flags);
            await release.upgrade(valuesOf({}));
        });
        after(async () => {
            storage?.stop();
            await namespace?.remove();
        });

        /** Returns the smallest number of ready pods while helm runs. */
        const fewestPods = async (values: object) => {
            const ending = new AbortController();
            const upgrading = release.upgrade(values).finally(() => ending.abort());
            let fewest = Number.POSITIVE_INFINITY;
            while (!ending.signal.aborted) {
                fewest = Math.min(fewest, (await namespace.readyPods()).length);
                await sleep(100);
            }
            await upgrading;
            return fewest;
        };

        it("keeps all its pods, and fails no request", async () => {
            const contents = { site: { "/": siteFiles("1")["/index.html"] ?? "" } };
            const url = await namespace.serviceUrl(siteName());
            const visitors = new Visitors(url, contents, ["/"], { ofEachKind: 1, pauseMs: 10 });
            assert.equal(await fewestPods(valuesOf({ autoscaling })), 4);
            const { failures } = await visitors.leave();
            assert.deepEqual(failures, []);
            await namespace.kubectl("get", "horizontalpodautoscaler", siteName());
        });

        it("keeps the number that the autoscaler has set at the next upgrade", async () => {
            // Sets the number in the same way as the autoscaler, which has no metrics in this cluster.
            await namespace.kubectl("scale", `deployment/${siteName()}`, "--replicas=5");
            await namespace.kubectl("rollout", "status", `deployment/${siteName()}`);
            assert.equal(await fewestPods(valuesOf({ autoscaling, annotations: { note: "next" } })), 5);
        });
    });
}
