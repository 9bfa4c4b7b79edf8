import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { type Container, type Manifest, refusal, render } from "../support/render-chart.js";
import { sitesChart } from "./support/edge-fixture.js";

const name = "docs-documentation-sites";
const page = "https://github.com/example--owner/pulumi-static-export/blob/main/docs/guides/alerts.md";
const release = `namespace="default",job="default/${name}"`;

interface Rule {
    alert: string;
    expr: string;
    annotations: { runbook_url?: string };
}

const everything = async (): Promise<Record<string, unknown>> =>
    parse(await readFile(join(sitesChart, "ci/everything-values.yaml"), "utf8")) as Record<string, unknown>;
const rulesOf = (manifests: Map<string, Manifest>): Rule[] => {
    const { groups } = manifests.get(`PrometheusRule/${name}`)?.["spec"] as { groups: { rules: Rule[] }[] };
    return groups.flatMap((group) => group.rules);
};

describe("documentation-sites: monitoring", function () {
    this.timeout(60_000);

    let manifests: Map<string, Manifest>;
    before(async () => {
        manifests = await render(await everything(), sitesChart);
    });

    it("collects the metrics of the pods, at the port that the pods declare", () => {
        const { selector, podMetricsEndpoints } = manifests.get(`PodMonitor/${name}`)?.["spec"] as {
            selector: object;
            podMetricsEndpoints: { port: string; path: string; interval: string }[];
        };
        const deployment = manifests.get(`Deployment/${name}`)?.["spec"] as {
            selector: object;
            template: { spec: { containers: Container[] } };
        };
        assert.deepEqual(selector, deployment.selector);
        assert.deepEqual(podMetricsEndpoints, [{ port: "metrics", path: "/metrics", interval: "15s" }]);
        const ports = JSON.stringify(deployment.template.spec.containers[0]);
        assert.ok(ports.includes('{"name":"metrics","containerPort":9113}'), ports);
        const files = JSON.stringify(manifests.get(`ConfigMap/${name}`)?.["data"]);
        assert.match(files, /listen 9113;.*include \/tmp\/listen-9113\.conf;.*for port in 8080 9113;/s);
    });

    it("has alerts and a dashboard that use only the metrics of the release's pods", async () => {
        const script = await readFile(join(sitesChart, "charts/static-export-common/files/metrics.js"), "utf8");
        const { "documentation-sites.json": json = "" } = manifests.get(`ConfigMap/${name}-dashboard`)?.[
            "data"
        ] as Record<string, string>;
        const { panels } = JSON.parse(json) as { panels: { targets: { expr: string }[] }[] };
        const expressions = [
            ...panels.flatMap(({ targets }) => targets.map(({ expr }) => [expr, 'namespace="$namespace",job="$job"'])),
            ...rulesOf(manifests).map(({ expr }) => [expr, release]),
        ];
        for (const [expression = "", begin = ""] of expressions) {
            const used = [...expression.matchAll(/\b((?:documentation_site|nginx)_\w+)\{(.*?)\}/g)];
            assert.ok(used.length > 0, expression);
            for (const [, metric = "", labels = ""] of used) {
                assert.ok(script.includes(metric.replace("connections_active", "connections_${name}")), metric);
                assert.ok(labels.startsWith(begin), labels);
            }
        }
        assert.equal(expressions.length, 6);
    });

    it("links each alert to its section of the guide, which has no sections for other alerts", async () => {
        const guide = await readFile("docs/guides/alerts.md", "utf8");
        const sections = [...guide.matchAll(/^### (DocumentationSites[A-Z]\w+)$/gm)].map(([, alert = ""]) => alert);
        assert.deepEqual(
            rulesOf(manifests).map(({ alert, annotations }) => [alert, annotations.runbook_url]),
            sections.map((alert) => [alert, `${page}#${alert.toLowerCase()}`]),
        );
    });

    it("is off by default, and needs the PodMonitor", async () => {
        const kinds = [...(await render({ bucket: { name: "docs" } }, sitesChart)).keys()].join(" ");
        assert.doesNotMatch(kinds, /PodMonitor|PrometheusRule|dashboard/);
        for (const part of ["prometheusRule", "dashboard"]) {
            assert.match(
                await refusal({ bucket: { name: "docs" }, [part]: { enabled: true } }, sitesChart),
                /needs metrics\.podMonitor\.enabled/,
            );
        }
    });
});

describe("documentation-sites: values that are common in charts", function () {
    this.timeout(60_000);

    it("add containers, variables, volumes and placement to the pods", async () => {
        const values = await everything();
        const { spec } = (
            (await render(values, sitesChart)).get(`Deployment/${name}`)?.["spec"] as {
                template: { spec: Record<string, unknown> };
            }
        ).template;
        for (const setting of ["initContainers", "nodeSelector", "tolerations"]) {
            assert.deepEqual(spec[setting], values[setting], setting);
        }
        const [nginx, exporter] = spec["containers"] as Container[];
        assert.equal(exporter?.name, "exporter");
        const text = JSON.stringify(nginx);
        assert.ok(text.includes('{"name":"TZ","value":"UTC"}') && text.includes("/srv/notes"), text);
        assert.ok((spec["volumes"] as { name: string }[]).some((volume) => volume.name === "notes"));
    });
});
