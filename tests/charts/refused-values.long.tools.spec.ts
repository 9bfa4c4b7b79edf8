import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { sitesChart } from "./sites/support/edge-fixture.js";
import { chartFolder, refusal, render, serviceChartFolder } from "./support/render-chart.js";

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
