import assert from "node:assert/strict";
import { sitesChart } from "./sites/support/edge-fixture.js";
import {
    byKindAndName,
    chartFolder,
    exported,
    helm,
    type Manifest,
    refusal,
    render,
    serviceChartFolder,
} from "./support/render-chart.js";
import { required } from "./support/service-pods.js";

const behavior = { scaleDown: { stabilizationWindowSeconds: 600 } };
const relabelings = [{ action: "labeldrop", regex: "pod" }];
const metricRelabelings = [{ action: "drop", regex: "go_.*" }];
const autoscaling = { enabled: true, behavior };
const podDisruptionBudget = { minAvailable: "50%" };

/** Each chart with the settings that all charts have, at their place in its values. */
const charts: Record<string, { folder: string; values: object; pods: string; settings: object; refused: object }> = {
    "documentation-site": {
        folder: chartFolder,
        values: exported,
        pods: "Deployment/docs-documentation-site",
        settings: {
            ...{ autoscaling, podDisruptionBudget, annotations: { "example.com/owner": "docs" } },
            metrics: { enabled: true, podMonitor: { enabled: true, relabelings, metricRelabelings } },
        },
        refused: { podDisruptionBudget: { minAvailable: "half" } },
    },
    "documentation-sites": {
        folder: sitesChart,
        values: { bucket: { name: "docs" } },
        pods: "Deployment/docs-documentation-sites",
        settings: {
            ...{ autoscaling, podDisruptionBudget, annotations: { "example.com/owner": "docs" } },
            metrics: { podMonitor: { enabled: true, relabelings, metricRelabelings } },
        },
        refused: { podDisruptionBudget: { minAvailable: "half" } },
    },
    "static-export-service": {
        folder: serviceChartFolder,
        values: required,
        pods: "Deployment/docs-static-export-service-api",
        settings: {
            api: { autoscaling, podDisruptionBudget, annotations: { "example.com/owner": "docs" } },
            serviceMonitor: { enabled: true, relabelings, metricRelabelings },
        },
        refused: { api: { podDisruptionBudget: { minAvailable: "half" } } },
    },
};

const service = {
    type: "LoadBalancer",
    ipFamilyPolicy: "PreferDualStack",
    ipFamilies: ["IPv6", "IPv4"],
    loadBalancerClass: "example.com/internal",
    externalTrafficPolicy: "Local",
};

/** Returns the specification of the only object of a kind, or of the one with this name. */
function specOf(manifests: Map<string, Manifest>, key: string): Record<string, unknown> {
    const [found] = [...manifests].find(([name]) => name === key || name.startsWith(`${key}/`)) ?? [];
    return manifests.get(found ?? "")?.spec as Record<string, unknown>;
}

for (const [chart, { folder, values, pods, settings, refused }] of Object.entries(charts)) {
    describe(`${chart}: settings of clusters`, function () {
        this.timeout(120_000);

        it("of the load balancer and its IP families are in the Service", async () => {
            const manifests = await render({ ...values, service }, folder);
            const [spec] = [...manifests.values()].filter(({ kind }) => kind === "Service").map((each) => each.spec);
            const { type, ipFamilyPolicy, ipFamilies, loadBalancerClass, externalTrafficPolicy } =
                spec as typeof service;
            assert.deepEqual({ type, ipFamilyPolicy, ipFamilies, loadBalancerClass, externalTrafficPolicy }, service);
        });

        it("of scaling, disruptions, annotations and scrapes are in their objects", async () => {
            const manifests = await render({ ...values, ...settings }, folder);
            assert.deepEqual(specOf(manifests, "HorizontalPodAutoscaler")["behavior"], behavior);
            const { minAvailable, maxUnavailable } = specOf(manifests, "PodDisruptionBudget");
            assert.deepEqual([minAvailable, maxUnavailable], ["50%", undefined]);
            assert.equal(manifests.get(pods)?.metadata.annotations?.["example.com/owner"], "docs");
            const monitor = [...manifests.values()].find(({ kind }) => /^(?:Pod|Service)Monitor$/.test(kind));
            const { podMetricsEndpoints, endpoints = podMetricsEndpoints } = monitor?.spec as Record<string, object[]>;
            const port = chart === "static-export-service" ? "health" : "metrics";
            const endpoint = { port, path: "/metrics", interval: "30s", relabelings, metricRelabelings };
            assert.deepEqual(endpoints, [endpoint]);
        });

        it("of probes change only the named numbers", async () => {
            const probesOf = async (probes: object) => {
                const deployment = (await render({ ...values, probes }, folder)).get(pods)?.spec as {
                    template: { spec: { containers: Record<string, Record<string, unknown>>[] } };
                };
                const { readinessProbe, livenessProbe } = deployment.template.spec.containers[0] ?? {};
                return { readinessProbe, livenessProbe };
            };
            const usual = await probesOf({});
            assert.deepEqual(await probesOf({ readiness: { timeoutSeconds: 30 } }), {
                ...usual,
                readinessProbe: { ...usual.readinessProbe, timeoutSeconds: 30 },
            });
            const complaint = await refusal({ ...values, probes: { readiness: { timeout: 30 } } }, folder);
            assert.match(complaint, /probes\/readiness/);
        });

        it("are refused if Kubernetes would refuse them", async () => {
            assert.match(await refusal({ ...values, ...refused }, folder), /minAvailable/);
            assert.match(await refusal({ ...values, service: { ipFamilies: ["IPv5"] } }, folder), /ipFamilies/);
        });

        it("of labels and annotations apply to the pods of helm test, too, because a cluster may require them", async () => {
            const more = { podLabels: { team: "docs" }, podAnnotations: { "example.com/team": "docs" } };
            const manifests = byKindAndName(await helm(["template", "docs"], { ...values, ...more }, folder));
            const tests = [...manifests.values()].filter(({ kind }) => kind === "Pod");
            assert.ok(tests.length > 0);
            for (const { metadata } of tests) {
                assert.equal(metadata.labels["team"], "docs");
                assert.equal(metadata.annotations?.["example.com/team"], "docs");
                assert.equal(metadata.annotations?.["helm.sh/hook"], "test");
                assert.match(metadata.labels["app.kubernetes.io/name"] ?? "", /-test$/);
            }
        });

        it("of scheduling apply to the pods of helm test, too", async () => {
            const placement = {
                nodeSelector: { pool: "docs" },
                tolerations: [{ key: "docs", operator: "Exists" }],
                priorityClassName: "docs",
                imagePullSecrets: [{ name: "registry" }],
            };
            const manifests = byKindAndName(await helm(["template", "docs"], { ...values, ...placement }, folder));
            const tests = [...manifests.values()].filter(({ kind }) => kind === "Pod");
            assert.ok(tests.length > 0);
            for (const { metadata, spec } of tests) {
                const own = Object.keys(placement).map((key) => [key, (spec as Record<string, unknown>)[key]]);
                assert.deepEqual(Object.fromEntries(own), placement, metadata.name);
            }
        });
    });
}

describe("static-export-service: annotations", function () {
    this.timeout(120_000);

    it("of one component's pods come before those of all pods", async () => {
        const podAnnotations = { "example.com/a": "all", "example.com/b": "all" };
        const worker = { podAnnotations: { "example.com/b": "worker" } };
        const manifests = await render({ ...required, podAnnotations, worker }, serviceChartFolder);
        const annotationsOf = (component: string) =>
            (
                manifests.get(`Deployment/docs-static-export-service-${component}`)?.spec as {
                    template: Manifest;
                }
            ).template.metadata.annotations;
        assert.deepEqual(annotationsOf("worker"), { "example.com/a": "all", "example.com/b": "worker" });
        assert.deepEqual(annotationsOf("api"), podAnnotations);
    });
});
