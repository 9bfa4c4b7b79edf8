import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { sitesChart } from "./sites/support/edge-fixture.js";
import { chartFolder, helm, refusal, render, serviceChartFolder } from "./support/render-chart.js";

const zones = { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" };

interface Spread {
    selector: object;
    template: { spec: { topologySpreadConstraints: object[] } };
}

for (const chart of [chartFolder, sitesChart, serviceChartFolder]) {
    describe(`${basename(chart)}: values that every chart refuses`, function () {
        this.timeout(120_000);
        const withPods = (setting: object) => (chart === serviceChartFolder ? { api: setting } : setting);
        let minimal: object;

        before(async () => {
            minimal = parse(await readFile(join(chart, "ci/minimal-values.yaml"), "utf8")) as object;
        });

        for (const [title, values, says] of [
            ["an annotation that is not text", { podAnnotations: { revision: 1 } }, /podAnnotations/],
            [
                "a startup probe with two successes",
                { probes: { startup: { successThreshold: 2 } } },
                /successThreshold/,
            ],
            ["a disruption budget of 0", withPods({ podDisruptionBudget: { maxUnavailable: 0 } }), /maxUnavailable/],
            ["a DNS port beyond 65535", { networkPolicy: { dnsPorts: [70_000] } }, /dnsPorts/],
            ["three billion pods", withPods({ replicaCount: 3_000_000_000 }), /replicaCount/],
            ["a node label that is a number", { nodeSelector: { rack: 7 } }, /nodeSelector/],
            ["a secret of a registry with a misspelt key", { imagePullSecrets: [{ nam: "x" }] }, /imagePullSecrets/],
            [
                "a peer with a misspelt key",
                { networkPolicy: { ingressFrom: [{ namespaceselector: {} }] } },
                /ingressFrom/,
            ],
            ["an empty peer", { networkPolicy: { egressTo: [{}] } }, /egressTo/],
            [
                "a network without its length",
                { networkPolicy: { ingressFrom: [{ ipBlock: { cidr: "10.0.0.0" } }] } },
                /cidr/,
            ],
            ["a tag with a colon", { image: { repository: "x", tag: ":x" } }, /image\/tag/],
            ["the same IP family twice", { service: { ipFamilies: ["IPv6", "IPv6"] } }, /ipFamilies/],
            ["a class with a space", { ingress: { className: "Bad Class" } }, /className/],
            ["a label's key with a space", { commonLabels: { "bad key": "x" } }, /commonLabels.*bad key/s],
            ["a label's value with a space", { podLabels: { team: "two words" } }, /podLabels\/team/],
            ["a service account with capitals", { serviceAccount: { name: "Bad_name" } }, /serviceAccount\/name/],
            ["an image with a space", { image: { repository: "a b" } }, /image\/repository/],
            ["an image with capitals", { image: { repository: "acme/UPPER" } }, /image\/repository/],
            ["an image with its tag", { image: { repository: "x:1" } }, /image\/repository/],
            [
                "a spread with a misspelt key",
                { topologySpreadConstraints: [{ ...zones, maxskew: 1 }] },
                /topologySpreadConstraints\/0.*maxskew/s,
            ],
            [
                "a spread without its topology",
                withPods({ topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" }] }),
                /topologyKey/,
            ],
            ["a volume with a misspelt source", { extraVolumes: [{ name: "a", emptydir: {} }] }, /emptydir/],
            ["a volume without a source", { extraVolumes: [{ name: "a" }] }, /extraVolumes\/0/],
            ["a volume with capitals", { extraVolumes: [{ name: "Bad_Name", emptyDir: {} }] }, /extraVolumes\/0\/name/],
            ["a mount with a misspelt path", { extraVolumeMounts: [{ name: "a", mountpath: "/a" }] }, /mountpath/],
            [
                "a disruption budget without disruptions",
                withPods({ podDisruptionBudget: { minAvailable: "100%" } }),
                /minAvailable/,
            ],
            [
                "a disruption budget for all pods",
                withPods({ replicaCount: 2, podDisruptionBudget: { minAvailable: 2 } }),
                /minAvailable \(2\) must be less than the number of pods \(2\)/,
            ],
            [
                "a percentage that Kubernetes rounds up to all pods",
                withPods({ replicaCount: 2, podDisruptionBudget: { minAvailable: "51%" } }),
                /minAvailable \(51%\) must be less than the number of pods \(2\)/,
            ],
        ] as const) {
            it(`refuses ${title}, which only the cluster would refuse`, async () => {
                assert.match(await refusal({ ...minimal, ...values }, chart), says);
            });
        }

        it("accepts labels with a prefix, images of a registry with a port, and volumes from a claim", async () => {
            const values = {
                commonLabels: { "example.com/team": "docs_1.0", empty: "" },
                image: { repository: "registry.example.com:5000/acme/static-export__1", tag: "1" },
                serviceAccount: { name: "docs.web-1" },
                extraVolumes: [{ name: "notes", persistentVolumeClaim: { claimName: "notes" } }],
                extraVolumeMounts: [{ name: "notes", mountPath: "/notes", subPath: "a", readOnly: true }],
            };
            assert.ok((await render({ ...minimal, ...values }, chart)).size > 0);
        });

        it("spreads pods by their own labels, unless the values have a selector", async () => {
            const labelSelector = { matchLabels: { app: "docs" } };
            const topologySpreadConstraints = [zones, { ...zones, labelSelector }];
            const objects = [...(await render({ ...minimal, topologySpreadConstraints }, chart)).values()];
            const deployments = objects.filter(({ kind }) => kind === "Deployment");
            assert.ok(deployments.length > 0);
            for (const { spec } of deployments as unknown as { spec: Spread }[]) {
                assert.deepEqual(spec.template.spec.topologySpreadConstraints, [
                    { ...zones, labelSelector: spec.selector },
                    { ...zones, labelSelector },
                ]);
            }
        });

        it("reports containers that an autoscaler cannot scale, because they request no CPU", async () => {
            const notesOf = async (resources: object) => {
                const extraContainers = [{ name: "proxy", image: "proxy:1", resources }];
                const values = withPods({ autoscaling: { enabled: true }, extraContainers });
                return helm(["install", "docs", "--dry-run=client"], { ...minimal, ...values }, chart);
            };
            assert.match(await notesOf({}), /cannot scale the pods: no CPU request in proxy\./);
            assert.doesNotMatch(await notesOf({ requests: { cpu: "10m" } }), /cannot scale/);
            assert.doesNotMatch(await notesOf({ limits: { cpu: 1 } }), /cannot scale/);
        });

        it("accepts peers of each kind, and a budget that allows disruptions", async () => {
            const peers = [
                { podSelector: {} },
                { namespaceSelector: {} },
                { ipBlock: { cidr: "10.0.0.0/8", except: [] } },
            ];
            const podDisruptionBudget = { minAvailable: "50%" };
            const networkPolicy = { ingressFrom: peers, egressTo: peers };
            assert.ok(
                (await render({ ...minimal, networkPolicy, ...withPods({ podDisruptionBudget }) }, chart)).size > 0,
            );
        });
    });
}
