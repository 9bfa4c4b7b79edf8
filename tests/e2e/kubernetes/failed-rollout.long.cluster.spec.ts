import assert from "node:assert/strict";
import { waitFor } from "../../../dev/cluster/src/cluster/wait-for.js";
import { BundleServer } from "../../charts/support/bundle-server.js";
import { siteArchive, siteFiles } from "./support/archives/site-archives.js";
import { HelmRelease } from "./support/helm-release.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { siteName } from "./support/site-stack.js";
import { answersOf, Visitors } from "./support/visitors.js";

const replicaCount = 2;

for (const tool of ["Helm", "Argo CD"] as const) {
    describe(`a rollout with ${tool} that failed and was not rolled back`, () => {
        const cluster = useSharedCluster();
        let storage: BundleServer;
        let namespace: Namespace;
        let release: HelmRelease;

        /** @param settings - they change the files of the ConfigMap, too */
        const valuesOf = (version: string, settings: object = {}) => ({
            replicaCount,
            nginx: { keepaliveSeconds: 4, drainSeconds: 5, ...settings },
            staticExport: { enabled: true, bundleUrl: storage.link(`/${version}.tar.gz`), version },
        });
        /** Argo CD applies all objects, and removes earlier ones only after the new pods are ready. */
        const applyObjects = async (values: object) => {
            await namespace.apply(await release.render(values));
            await namespace.kubectl("rollout", "status", `deployment/${siteName()}`, "--timeout=30s");
        };
        const rollOut = (values: object) =>
            tool === "Helm" ? release.upgrade(values, "--timeout", "30s") : applyObjects(values);
        /** Pods that end serve their version until the nodes know that they end. */
        const assertServes = async (version: string) => {
            const url = `${await namespace.serviceUrl(siteName())}/healthz`;
            const wrong = async () => {
                const served = ((await (await fetch(url)).json()) as { version: string }).version;
                return served === version ? undefined : served;
            };
            assert.equal(await waitFor(wrong, { timeoutMs: 30_000 }), undefined);
        };
        const startedWith = async () => {
            const ofSite = ["get", "secrets,configmaps", "--output=name", `--selector=app.kubernetes.io/instance=docs`];
            return (await namespace.kubectl(...ofSite)).trim().split("\n").length;
        };

        before(async () => {
            storage = await BundleServer.start(undefined, cluster().hostAddress);
            storage.answer = ({ url = "" }, response) => {
                const [, version = ""] = /^\/(\w+)\.tar\.gz/.exec(url) ?? [];
                if (version === "missing") {
                    response.writeHead(404).end();
                } else {
                    void siteArchive(version).then((content) => response.end(content));
                }
            };
            namespace = await Namespace.create(cluster(), "failed-rollout");
            release = new HelmRelease(namespace);
            await (tool === "Helm" ? release.upgrade(valuesOf("old")) : applyObjects(valuesOf("old")));
        });
        after(async () => {
            storage?.stop();
            await namespace?.remove();
        });

        it("lets every evicted pod start again, and fails no request", async () => {
            const oldPods = await namespace.podNames();
            await assert.rejects(rollOut(valuesOf("missing", { workerProcesses: 1 })));
            const page = siteFiles("old")["/index.html"] ?? "";
            const url = await namespace.serviceUrl(siteName());
            const visitors = new Visitors(url, { old: { "/": page } }, ["/"], { ofEachKind: 2, pauseMs: 10 });
            for (const pod of oldPods) {
                const evicted = async () => ((await namespace.evict(pod)) ? undefined : "the budget refuses");
                assert.equal(await waitFor(evicted, { timeoutMs: 60_000 }), undefined);
                const successor = async () => {
                    const ready = await namespace.readyPods();
                    return ready.length === replicaCount && !ready.includes(pod) ? undefined : `ready: ${ready.join()}`;
                };
                assert.equal(await waitFor(successor, { timeoutMs: 120_000 }), undefined);
                await namespace.podsGone(pod);
            }
            const { failures, answered } = await visitors.leave();
            assert.deepEqual(failures, []);
            const all = answersOf({ answered });
            assert.ok(all > 200, String(all));
            console.log(`      ${all} requests while every pod was evicted, none failed`);
        });

        if (tool === "Helm") {
            it("is repaired by the next upgrade, and the one after that removes what no pod needs", async () => {
                await release.upgrade(valuesOf("next"));
                await release.upgrade(valuesOf("last"));
                // Two Secrets: the pods of `next` were running when Helm rendered `last`. Both have the same ConfigMap.
                assert.equal(await startedWith(), 3);
                await assertServes("last");
            });

            it("goes back to an earlier version with helm rollback", async () => {
                await release.rollback();
                await assertServes("next");
            });
        }
    });
}
