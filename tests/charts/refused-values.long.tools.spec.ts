import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { sitesChart } from "./sites/support/edge-fixture.js";
import { chartFolder, helm, refusal, render, serviceChartFolder } from "./support/render-chart.js";

const zones = { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" };
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const isIn = { key: "app", operator: "In" };
const more = { key: "cores", operator: "Gt", values: ["many"] };
const above = { requests: { memory: "1Gi" }, limits: { memory: "1023Mi" } };

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
                "a mount without its volume",
                { extraVolumeMounts: [{ name: "notes", mountPath: "/a" }] },
                /mounts the volume notes, which its pod does not have/,
            ],
            [
                "a further container that mounts no volume of its pod",
                withPods({
                    extraContainers: [{ name: "a", image: "a", volumeMounts: [{ name: "notes", mountPath: "/a" }] }],
                }),
                /container a mounts the volume notes/,
            ],
            ["a misspelt affinity", { affinity: { nodeaffinity: {} } }, /affinity.*nodeaffinity/s],
            [
                "a pod affinity without its topology",
                withPods({ affinity: { podAffinity: { [required]: [{ labelSelector: {} }] } } }),
                /affinity\/podAffinity.*topologyKey/s,
            ],
            [
                "a node affinity with a misspelt selector",
                { affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpression: [] }] } } } },
                /affinity\/nodeAffinity.*matchExpression'/s,
            ],
            [
                "a selector that would select all pods",
                { networkPolicy: { ingressFrom: [{ podSelector: { matchlabels: { app: "proxy" } } }] } },
                /ingressFrom\/0\/podSelector.*matchlabels/s,
            ],
            [
                "a selector without its values",
                { topologySpreadConstraints: [{ ...zones, labelSelector: { matchExpressions: [isIn] } }] },
                /labelSelector\/matchExpressions\/0.*values/s,
            ],
            [
                "a peer that is a network and pods",
                { networkPolicy: { ingressFrom: [{ ipBlock: { cidr: "10.0.0.0/8" }, podSelector: {} }] } },
                /ingressFrom\/0/,
            ],
            [
                "an IPv4 network of 64 bits",
                { networkPolicy: { ingressFrom: [{ ipBlock: { cidr: "::/0", except: ["10.0.0.0/64"] } }] } },
                /ingressFrom\/0\/ipBlock\/except\/0/,
            ],
            [
                "a network whose numbers are above 255",
                { networkPolicy: { egressTo: [{ ipBlock: { cidr: "999.0.0.0/8" } }] } },
                /egressTo\/0\/ipBlock\/cidr/,
            ],
            [
                "an IPv6 network with two gaps",
                { networkPolicy: { egressTo: [{ ipBlock: { cidr: "2001::db8::/32" } }] } },
                /egressTo\/0\/ipBlock\/cidr/,
            ],
            [
                "a tolerated time of nodes that accept no new pods",
                { tolerations: [{ key: "docs", effect: "NoSchedule", tolerationSeconds: 9 }] },
                /tolerations\/0\/effect/,
            ],
            ["a toleration without a key", { tolerations: [{ value: "docs" }] }, /tolerations\/0.*operator/s],
            [
                "a toleration that compares with nothing",
                { tolerations: [{ key: "docs", operator: "Exists", value: "x" }] },
                /tolerations\/0\/value/,
            ],
            [
                "a comparison with a text",
                { affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions: [more] }] } } } },
                /matchExpressions\/0\/values/,
            ],
            [
                "label keys without a selector",
                { affinity: { podAffinity: { [required]: [{ topologyKey: "zone", matchLabelKeys: ["app"] }] } } },
                /labelSelector/,
            ],
            [
                "a number of zones for a spread that is only preferred",
                { topologySpreadConstraints: [{ ...zones, whenUnsatisfiable: "ScheduleAnyway", minDomains: 2 }] },
                /topologySpreadConstraints\/0\/whenUnsatisfiable/,
            ],
            [
                "two spreads over the same zones",
                { topologySpreadConstraints: [zones, { ...zones, maxSkew: 2 }] },
                /two entries with zone and DoNotSchedule/,
            ],
            [
                "a request above its limit",
                withPods({ resources: above }),
                /requests more memory \(1Gi\) than its limit/,
            ],
            ["thousands in capitals", withPods({ resources: { requests: { memory: "1K" } } }), /requests\/memory/],
            ["thousandths of 1024", withPods({ resources: { requests: { memory: "1mi" } } }), /requests\/memory/],
            ["a negative request", withPods({ resources: { requests: { cpu: "-1" } } }), /requests\/cpu/],
            [
                "two IP families of a Service with one",
                { service: { ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4", "IPv6"] } },
                /service\/ipFamilies/,
            ],
            [
                "an autoscaler with a misspelt rule",
                withPods({ autoscaling: { enabled: true, behavior: { scaledown: {} } } }),
                /autoscaling\/behavior.*scaledown/s,
            ],
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

        it("accepts affinities of each kind, equal quantities in different units, and a selector of each kind", async () => {
            const selector = {
                matchLabels: { app: "docs" },
                matchExpressions: [
                    { ...isIn, values: ["docs"] },
                    { key: "app", operator: "Exists" },
                ],
            };
            const term = { labelSelector: selector, namespaceSelector: {}, topologyKey: "kubernetes.io/hostname" };
            const node = { matchExpressions: [{ key: "cores", operator: "Gt", values: ["4"] }] };
            const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
            const podAffinity = { [required]: [term], [preferred]: [{ weight: 1, podAffinityTerm: term }] };
            const nodeAffinity = {
                [required]: { nodeSelectorTerms: [node] },
                [preferred]: [{ weight: 100, preference: node }],
            };
            const resources = {
                requests: { cpu: 0.1, memory: "1Gi", "ephemeral-storage": 1e9 },
                limits: { cpu: "100m", memory: "1024Mi", "ephemeral-storage": "1G" },
            };
            const autoscaling = {
                enabled: true,
                targetCPUUtilizationPercentage: 250,
                behavior: { scaleDown: { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] } },
            };
            const service = { ipFamilyPolicy: "PreferDualStack", ipFamilies: ["IPv6", "IPv4"] };
            const values = {
                affinity: { nodeAffinity, podAffinity, podAntiAffinity: podAffinity },
                networkPolicy: { ingressFrom: [{ podSelector: selector }] },
                service,
                ...withPods({ resources, autoscaling }),
            };
            assert.ok((await render({ ...minimal, ...values }, chart)).size > 0);
        });

        it("spreads pods by their own labels, unless the values have a selector", async () => {
            const labelSelector = { matchLabels: { app: "docs" } };
            const racks = { ...zones, topologyKey: "rack", labelSelector };
            const topologySpreadConstraints = [zones, racks];
            const objects = [...(await render({ ...minimal, topologySpreadConstraints }, chart)).values()];
            const deployments = objects.filter(({ kind }) => kind === "Deployment");
            assert.ok(deployments.length > 0);
            for (const { spec } of deployments as unknown as { spec: Spread }[]) {
                assert.deepEqual(spec.template.spec.topologySpreadConstraints, [
                    { ...zones, labelSelector: spec.selector },
                    racks,
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
                ...["::/0", "2001:db8::/32", "fd00:1:2:3:4:5:6:7/128", "::ffff:10.0.0.0/104", "fe80::/10"].map(
                    (cidr) => ({
                        ipBlock: { cidr },
                    }),
                ),
            ];
            const podDisruptionBudget = { minAvailable: "50%" };
            const networkPolicy = { ingressFrom: peers, egressTo: peers };
            assert.ok(
                (await render({ ...minimal, networkPolicy, ...withPods({ podDisruptionBudget }) }, chart)).size > 0,
            );
        });
    });
}
