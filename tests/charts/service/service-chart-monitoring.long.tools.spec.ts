import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Metrics } from "../../../service/src/monitoring/metrics.js";
import { refusal, serviceChartFolder } from "../support/render-chart.js";
import { renderService, required, serviceName as name } from "../support/service-pods.js";

const monitored = { ...required, serviceMonitor: { enabled: true } };

interface Rule {
    alert: string;
    expr: string;
    annotations: { runbook_url?: string; dashboard_url?: string };
}

async function rules(values: object = {}): Promise<Rule[]> {
    const manifests = await renderService({ ...monitored, prometheusRule: { enabled: true, ...values } });
    const { groups } = manifests.get(`PrometheusRule/${name}`)?.["spec"] as { groups: { rules: Rule[] }[] };
    return groups.flatMap((group) => group.rules);
}

interface Dashboard {
    panels: { title: string; description?: string; targets: { expr: string }[] }[];
}

async function dashboard(): Promise<Dashboard> {
    const manifests = await renderService({ ...monitored, dashboard: { enabled: true } });
    const { "static-export.json": text = "" } = manifests.get(`ConfigMap/${name}-dashboard`)?.["data"] as Record<
        string,
        string
    >;
    return JSON.parse(text) as Dashboard;
}

const emptyQueue = { queued: 0, running: 0, oldestQueuedAt: undefined };

/**
 * Asserts that the service exports each metric in an expression, and that the metric's labels begin with `labelsBegin`.
 */
async function assertKnown(expressions: readonly string[], labelsBegin: string): Promise<void> {
    const known = await new Metrics(
        {
            queue: () => Promise.resolve(emptyQueue),
            agentQueue: () => Promise.resolve(emptyQueue),
            lastRetentionAt: () => Promise.resolve(new Date(0)),
            connections: () => ({ used: 0, idle: 0, waiting: 0 }),
            siteFaults: () => [],
            sites: () => Promise.resolve([]),
            clockOffsetMs: () => 0,
        },
        Date.now,
        "1.2.3",
    ).text();
    for (const expression of expressions) {
        const used = [...expression.matchAll(/\b((?:static_export|process)_\w+)\{(.*?)\}/g)];
        assert.ok(used.length > 0, expression);
        for (const [, metric = "", labels = ""] of used) {
            assert.ok(known.includes(`# TYPE ${metric.replace(/_(?:bucket|count|sum)$/, "")} `), metric);
            assert.ok(labels.startsWith(labelsBegin), labels);
        }
    }
}

describe("static-export-service: monitoring", function () {
    this.timeout(120_000);

    it("alerts only on metrics that the service exports, and only for this release", async () => {
        const expressions = (await rules()).map(({ expr }) => expr);
        await assertKnown(expressions, `namespace="default",job="${name}-metrics"`);
        assert.equal(expressions.length, 13);
    });

    it("links each alert to its runbook in the guide, and the guide has no other runbooks", async () => {
        const guide = await readFile("docs/guides/alerts.md", "utf8");
        const sections = [...guide.matchAll(/^### (StaticExport\w+)$/gm)].map(([, alert = ""]) => alert);
        const page = "https://github.com/example--owner/pulumi-static-export/blob/main/docs/guides/alerts.md";
        assert.deepEqual(
            (await rules()).map(({ alert, annotations }) => [alert, annotations.runbook_url]),
            sections.map((alert) => [alert, `${page}#${alert.toLowerCase()}`]),
        );
    });

    it("links to a different page of runbooks, or to none, as configured", async () => {
        const [moved] = await rules({ runbookUrl: "https://ops.example.com/alerts" });
        assert.equal(moved?.annotations.runbook_url, "https://ops.example.com/alerts#staticexportqueuewaits");
        const [without] = await rules({ runbookUrl: "" });
        assert.equal(without?.annotations.runbook_url, undefined);
    });

    it("links each alert to the page of the dashboard that shows its cause", async () => {
        const links = new Map((await rules()).map(({ alert, annotations }) => [alert, annotations.dashboard_url]));
        const base = "https://docs-admin.example.net/dashboard";
        assert.equal(links.get("StaticExportSiteFails"), `${base}/sites/{{ $labels.domain }}`);
        assert.equal(links.get("StaticExportJobsFail"), `${base}/jobs?status=failed`);
        assert.equal(links.get("StaticExportDatabaseFails"), `${base}/health`);
    });

    it("shows each of the guide's goals in a panel, with the same percentage", async () => {
        const guide = await readFile("docs/guides/alerts.md", "utf8");
        const goals = [...guide.matchAll(/^\| ([\d.]+ %) of .*? \| (.*?) \|/gm)].map(([, goal, panel]) => [
            panel,
            goal,
        ]);
        const { panels } = await dashboard();
        assert.deepEqual(
            panels.flatMap(({ title, description = "" }) => {
                const [, goal] = /^Goal: (.*)\.$/.exec(description) ?? [];
                return goal === undefined ? [] : [[title, goal]];
            }),
            goals,
        );
    });

    it("includes a dashboard with only the service's metrics, limited to the selected release", async () => {
        const { panels } = await dashboard();
        const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
        await assertKnown(expressions, 'namespace="$namespace",job="$job"');
        assert.ok(expressions.length > 10);
    });

    it("provides the dashboard as one file that can be imported without Helm", async () => {
        const file = await readFile(`${serviceChartFolder}/dashboards/service.json`, "utf8");
        assert.deepEqual(await dashboard(), JSON.parse(file));
    });

    it("reads the metrics of the same pods through a PodMonitor", async () => {
        const relabelings = [{ action: "labeldrop", regex: "pod" }];
        const podMonitor = { enabled: true, interval: "15s", labels: { release: "prometheus" }, relabelings };
        const manifests = await renderService({ ...required, podMonitor, dashboard: { enabled: true } });
        const monitor = manifests.get(`PodMonitor/${name}`);
        assert.equal(monitor?.metadata.labels["release"], "prometheus");
        const usual = (await renderService(monitored)).get(`Service/${name}-metrics`)?.["spec"] as { selector: object };
        assert.deepEqual(monitor?.["spec"], {
            selector: { matchLabels: usual.selector },
            podTargetLabels: ["app.kubernetes.io/component"],
            podMetricsEndpoints: [{ port: "health", path: "/metrics", interval: "15s", relabelings }],
        });
        assert.ok(!manifests.has(`Service/${name}-metrics`));
        const both = { ...monitored, podMonitor: { enabled: true } };
        assert.match(await refusal(both, serviceChartFolder), /would collect each metric twice/);
    });

    for (const part of ["prometheusRule", "dashboard"]) {
        it(`is refused with ${part} alone, because nothing collects the metrics`, async () => {
            assert.match(
                await refusal({ ...required, [part]: { enabled: true } }, serviceChartFolder),
                /needs serviceMonitor/,
            );
        });
    }
});
