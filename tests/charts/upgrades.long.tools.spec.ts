import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { sitesChart } from "./sites/support/edge-fixture.js";
import { type LiveObject, ReleaseInCluster } from "./support/release-in-cluster.js";
import { chartFolder, serviceChartFolder } from "./support/render-chart.js";

const ofRelease = (release: string) => ({
    labels: { "app.kubernetes.io/managed-by": "Helm" },
    annotations: { "meta.helm.sh/release-name": release, "meta.helm.sh/release-namespace": "docs" },
});

/** @param owner - the Deployment */
function replicaSet(owner: string, replicas: number, volumes: object[]): LiveObject {
    const ownerReferences = [{ apiVersion: "apps/v1", kind: "Deployment", name: owner, controller: true }];
    return {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        metadata: { name: `${owner}-${replicas}`, ownerReferences },
        spec: { replicas, template: { spec: { volumes } } },
    };
}

function configMap(name: string, release = "docs"): LiveObject {
    const data = { "start.sh": 'exec "$0" <&-\n' };
    return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...ofRelease(release) }, immutable: true, data };
}

function deployment(name: string, replicas: number, managedFields: object[] = []): LiveObject {
    const metadata = { name, managedFields, ...ofRelease("docs") };
    return { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas } };
}

const setByHelm = { manager: "helm", operation: "Apply", fieldsV1: { "f:spec": { "f:replicas": {} } } };
const updatedByHelm = { ...setByHelm, operation: "Update" };
const setByAutoscaler = {
    manager: "kube-controller-manager",
    operation: "Update",
    subresource: "scale",
    fieldsV1: { "f:spec": { "f:replicas": {} } },
};

for (const chart of [chartFolder, sitesChart, serviceChartFolder]) {
    describe(`${basename(chart)}: an upgrade of a running release`, function () {
        this.timeout(120_000);
        const isService = chart === serviceChartFolder;
        const fullname = `docs-${basename(chart)}`;
        const owner = isService ? `${fullname}-worker` : fullname;
        const prefix = isService ? `${fullname}-builds` : fullname;
        let minimal: object;

        before(async () => {
            minimal = parse(await readFile(join(chart, "ci/minimal-values.yaml"), "utf8")) as object;
        });
        const earlierIn = async (objects: readonly LiveObject[]) => {
            const before = await ReleaseInCluster.render([], minimal, chart);
            const manifests = await ReleaseInCluster.render(objects, minimal, chart);
            return [...manifests].filter(([key]) => !before.has(key)).map(([, manifest]) => manifest);
        };
        const volume = (name: string) => ({ name: "config", configMap: { name } });

        it("keeps the ConfigMap of pods that are still running, so that an evicted pod can start again", async () => {
            const name = `${prefix}-0123456789`;
            const objects = [replicaSet(owner, 1, [volume(name)]), configMap(name)];
            const [kept, ...others] = await earlierIn(objects);
            assert.deepEqual(others, []);
            assert.equal(kept?.metadata.name, name);
            assert.equal(kept.metadata.annotations?.["argocd.argoproj.io/sync-options"], "PruneLast=true");
            assert.deepEqual([kept.data, kept.immutable], [configMap(name).data, true]);
        });

        it("keeps the ConfigMap of a chart whose names had no digest", async () => {
            const objects = [replicaSet(owner, 2, [volume(prefix)]), { ...configMap(prefix), immutable: undefined }];
            const [kept] = await earlierIn(objects);
            assert.equal(kept?.metadata.name, prefix);
            assert.equal(kept.immutable, undefined);
        });

        for (const [title, objects] of [
            ["whose pods have been replaced", [replicaSet(owner, 0, [volume(`${prefix}-0123456789`)])]],
            ["of another Deployment", [replicaSet("web", 1, [volume(`${prefix}-0123456789`)])]],
            ["that the values name", [replicaSet(owner, 1, [volume("company-ca")])]],
        ] as const) {
            it(`does not keep a ConfigMap ${title}`, async () => {
                const maps = [configMap(`${prefix}-0123456789`), configMap("company-ca")];
                assert.deepEqual(await earlierIn([...objects, ...maps]), []);
            });
        }

        it("does not take over a ConfigMap of another release", async () => {
            const name = `${prefix}-0123456789`;
            assert.deepEqual(await earlierIn([replicaSet(owner, 1, [volume(name)]), configMap(name, "other")]), []);
        });

        const scaled = isService ? `${fullname}-api` : fullname;
        const replicasOf = async (live: readonly LiveObject[], enabled = true) => {
            const autoscaling = { autoscaling: { enabled } };
            const values = { ...minimal, ...(isService ? { api: autoscaling, worker: autoscaling } : autoscaling) };
            const manifests = await ReleaseInCluster.render(live, values, chart);
            return (manifests.get(`Deployment/${scaled}`)?.spec as { replicas?: number }).replicas;
        };

        it("keeps the number of pods when autoscaling is enabled, and at later upgrades", async () => {
            assert.equal(await replicasOf([deployment(scaled, 6, [setByHelm])]), 6);
            assert.equal(await replicasOf([deployment(scaled, 9, [updatedByHelm, setByAutoscaler])]), 9);
        });

        it("does not name the number that the autoscaler has set, which server-side apply keeps", async () => {
            const applied = { manager: "helm", operation: "Apply", fieldsV1: {} };
            assert.equal(await replicasOf([deployment(scaled, 9, [applied, setByAutoscaler])]), undefined);
        });

        it("has the number of the values without autoscaling, and none at the installation with it", async () => {
            assert.notEqual(await replicasOf([deployment(scaled, 11, [updatedByHelm])], false), 11);
            assert.equal(await replicasOf([]), undefined);
        });
    });
}

describe("documentation-site: an upgrade of a running release", function () {
    this.timeout(120_000);

    it("keeps the link of pods that are still running", async () => {
        const name = "docs-documentation-site-0123456789";
        const secret: LiveObject = {
            apiVersion: "v1",
            kind: "Secret",
            metadata: { name, ...ofRelease("docs") },
            type: "Opaque",
            data: { "bundle-url": "aHR0cHM6Ly9idW5kbGVzLmV4YW1wbGUuY29tLzE=" },
        };
        const minimal = parse(await readFile(join(chartFolder, "ci/minimal-values.yaml"), "utf8")) as object;
        const used = [{ name: "link", secret: { secretName: name, defaultMode: 288 } }];
        const live = [replicaSet("docs-documentation-site", 1, used), secret];
        const kept = (await ReleaseInCluster.render(live, minimal)).get(`Secret/${name}`);
        assert.deepEqual([kept?.type, kept?.data], [secret.type, secret.data]);
    });
});
