import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureDebianPackages } from "@pulumi-static-export/toolchain";
import { stringify } from "yaml";
import { chartFolder, exported, render, serviceChartFolder } from "./support/render-chart.js";
import { required } from "./support/service-pods.js";
import { sitesChart } from "./sites/support/edge-fixture.js";

const run = promisify(execFile);

interface Rule {
    alert: string;
    expr: string;
    labels: Record<string, string>;
    annotations: Record<string, string>;
}

/** The values of each series, one per minute in promtool's notation, by name and labels. */
type Series = Readonly<Record<string, string>>;

interface Chart {
    folder: string;
    values: object;
    job: string;
    /** The series of a release without problems. */
    healthy: Series;
    /** For each problem: the series that differ (undefined if missing), and the alert that fires, if any. */
    cases: Readonly<Record<string, [series: Readonly<Record<string, string | undefined>>, alert: string | undefined]>>;
    dashboard: string;
}

const podMonitored = { metrics: { enabled: true, podMonitor: { enabled: true } }, prometheusRule: { enabled: true } };
const unready =
    'kube_pod_init_container_status_waiting_reason{namespace="default",pod="docs-documentation-site-7",' +
    'container="fetch-bundle",reason="CrashLoopBackOff"}';

const service: Chart = {
    folder: serviceChartFolder,
    values: { ...required, serviceMonitor: { enabled: true }, prometheusRule: { enabled: true } },
    job: "docs-static-export-service-metrics",
    dashboard: "service.json",
    healthy: {
        'static_export_queue_jobs{status="queued"}': "0x60",
        static_export_queue_oldest_seconds: "0x60",
        static_export_queue_errors_total: "0x60",
        'static_export_job_runs_total{outcome="completed"}': "0+10x60",
        'static_export_job_runs_total{outcome="failed"}': "0x60",
        'static_export_requests_total{status="200"}': "0+600x60",
        'static_export_requests_total{status="503"}': "0x60",
        static_export_agent_queue_oldest_seconds: "0x60",
        'static_export_agent_runs_total{outcome="completed"}': "0+1x60",
        'static_export_agent_runs_total{outcome="failed"}': "0x60",
        'static_export_storage_errors_total{operation="put"}': "0x60",
        'static_export_database_connections{state="waiting"}': "0x60",
        static_export_retention_last_success_timestamp_seconds: "0+60x60",
        static_export_sites_file_faults: "0x60",
        static_export_clock_offset_seconds: "0x60",
    },
    cases: {
        "a job has waited for 1,000 seconds": [
            { static_export_queue_oldest_seconds: "1000x60" },
            "StaticExportQueueWaits",
        ],
        "half of the exports fail": [
            { 'static_export_job_runs_total{outcome="failed"}': "0+10x60" },
            "StaticExportJobsFail",
        ],
        "one export in eleven fails": [{ 'static_export_job_runs_total{outcome="failed"}': "0+1x60" }, undefined],
        "one request in eleven gets 503": [
            { 'static_export_requests_total{status="503"}': "0+60x60" },
            "StaticExportRequestsFail",
        ],
        "a prompt has waited for 4,000 seconds": [
            { static_export_agent_queue_oldest_seconds: "4000x60" },
            "StaticExportAgentsWait",
        ],
        "two thirds of the agents fail": [
            { 'static_export_agent_runs_total{outcome="failed"}': "0+2x60" },
            "StaticExportAgentJobsFail",
        ],
        "uploads fail": [
            { 'static_export_storage_errors_total{operation="put"}': "0+1x60" },
            "StaticExportStorageFails",
        ],
        "the queue cannot be read": [{ static_export_queue_errors_total: "0+1x60" }, "StaticExportDatabaseFails"],
        "statements wait for a connection": [
            { 'static_export_database_connections{state="waiting"}': "3x60" },
            "StaticExportDatabaseBusy",
        ],
        "statements wait now and then": [
            { 'static_export_database_connections{state="waiting"}': "3 0 0x60" },
            undefined,
        ],
        "the retention has stopped": [
            { static_export_retention_last_success_timestamp_seconds: "-20000x60" },
            "StaticExportRetentionStopped",
        ],
        "a line of the sites file is wrong": [{ static_export_sites_file_faults: "1x60" }, "StaticExportSitesWrong"],
        "the last export of a site has failed": [
            { 'static_export_failed_site_timestamp_seconds{domain="docs.example.com"}': "1x60" },
            "StaticExportSiteFails",
        ],
        "a machine's clock is two minutes ahead": [
            { static_export_clock_offset_seconds: "-120x60" },
            "StaticExportClockWrong",
        ],
        "no pod reports the queue": [
            { 'static_export_queue_jobs{status="queued"}': undefined },
            "StaticExportMetricsMissing",
        ],
    },
};

const charts: Readonly<Record<string, Chart>> = {
    "static-export-service": service,
    "static-export-service with a PodMonitor": {
        ...service,
        values: { ...required, podMonitor: { enabled: true }, prometheusRule: { enabled: true } },
        job: "default/docs-static-export-service",
    },
    "documentation-site": {
        folder: chartFolder,
        values: { ...exported, ...podMonitored },
        job: "default/docs-documentation-site",
        dashboard: "site.json",
        healthy: {
            'documentation_site_errors_total{status="5xx"}': "0x60",
            'documentation_site_info{version="1",pod="a"}': "1x60",
            'documentation_site_info{version="1",pod="b"}': "1x60",
            documentation_site_link_expires_timestamp_seconds: "999999x60",
            [unready]: "0x60",
        },
        cases: {
            "two requests a minute get 5xx": [
                { 'documentation_site_errors_total{status="5xx"}': "0+2x60" },
                "DocumentationSiteRequestsFail",
            ],
            "a pod cannot fetch its bundle": [{ [unready]: "1x60" }, "DocumentationSitePodsDoNotStart"],
            "pods serve two versions": [
                { 'documentation_site_info{version="2",pod="c"}': "1x60" },
                "DocumentationSiteVersionsDiffer",
            ],
            "the link has expired": [
                { documentation_site_link_expires_timestamp_seconds: "600x60" },
                "DocumentationSiteLinkExpired",
            ],
            "no pod has metrics": [
                {
                    'documentation_site_info{version="1",pod="a"}': undefined,
                    'documentation_site_info{version="1",pod="b"}': undefined,
                },
                "DocumentationSiteMetricsMissing",
            ],
        },
    },
    "documentation-site with a cache": {
        folder: chartFolder,
        values: { ...exported, ...podMonitored, cache: { enabled: true } },
        job: "default/docs-documentation-site",
        dashboard: "site.json",
        healthy: {
            'documentation_site_info{version="1",pod="a"}': "1x60",
            documentation_site_link_expires_timestamp_seconds: "600x60",
            documentation_site_fetch_from_cache: "0x60",
        },
        cases: {
            "a pod serves the copy in the cache": [
                { documentation_site_fetch_from_cache: "1x60" },
                "DocumentationSiteServedFromCache",
            ],
        },
    },
    "documentation-sites": {
        folder: sitesChart,
        values: {
            bucket: { name: "docs" },
            metrics: { podMonitor: { enabled: true } },
            prometheusRule: { enabled: true },
        },
        job: "default/docs-documentation-sites",
        dashboard: "sites.json",
        healthy: {
            nginx_http_requests_total: "0+1000x60",
            'documentation_site_errors_total{status="5xx"}': "0+5x60",
        },
        cases: {
            "two requests in a hundred get 5xx": [
                { 'documentation_site_errors_total{status="5xx"}': "0+20x60" },
                "DocumentationSitesRequestsFail",
            ],
            "no pod has metrics": [{ nginx_http_requests_total: undefined }, "DocumentationSitesMetricsMissing"],
        },
    },
};

/** The alerts that fire in at least one case. */
const fired = new Set(Object.values(charts).flatMap(({ cases }) => Object.values(cases).map(([, alert]) => alert)));

/** Adds the labels of a release to a series. */
function ofRelease(name: string, job: string): string {
    if (name.startsWith("kube_")) {
        return name;
    }
    const [, metric = "", labels = ""] = /^(\w+)(?:\{(.*)\})?$/.exec(name) ?? [];
    return `${metric}{namespace="default",job="${job}"${labels === "" ? "" : `,${labels}`}}`;
}

describe("According to Prometheus' promtool, the alerts and dashboards", function () {
    this.timeout(600_000);

    let folder = "";
    before(async () => {
        await ensureDebianPackages(["prometheus"]);
        folder = await mkdtemp(join(tmpdir(), "alerts-"));
    });
    after(() => rm(folder, { recursive: true, force: true }));

    const write = async (name: string, content: object): Promise<string> => {
        const file = join(folder, name);
        await writeFile(file, stringify(content));
        return file;
    };

    for (const [chart, { folder: chartOf, values, job, healthy, cases, dashboard }] of Object.entries(charts)) {
        it(`of ${chart} fire in their case and in no other`, async () => {
            const manifests = await render(values, chartOf);
            const [, rule] = [...manifests].find(([key]) => key.startsWith("PrometheusRule/")) ?? [];
            const { groups } = rule?.["spec"] as { groups: { rules: Rule[] }[] };
            const rules = groups.flatMap((group) => group.rules);
            const ruleFile = await write("rules.yaml", { groups });
            const tests = Object.entries({ nothing: [{}, undefined] as const, ...cases }).map(
                ([name, [changed, fires]]) => ({
                    name,
                    interval: "1m",
                    input_series: Object.entries({ ...healthy, ...changed })
                        .filter(([, series]) => series !== undefined)
                        .map(([series, samples]) => ({ series: ofRelease(series, job), values: samples })),
                    alert_rule_test: rules.map(({ alert, expr, labels, annotations }) => ({
                        eval_time: "60m",
                        alertname: alert,
                        exp_alerts:
                            alert === fires
                                ? [
                                      {
                                          // `absent` returns a series with the labels of its selector.
                                          exp_labels: {
                                              ...labels,
                                              ...(expr.startsWith("absent") && { namespace: "default", job }),
                                              ...(expr.startsWith("max by (domain)") && { domain: "docs.example.com" }),
                                          },
                                          // Prometheus puts the alert's labels into its annotations.
                                          exp_annotations: Object.fromEntries(
                                              Object.entries(annotations).map(([name, text]) => [
                                                  name,
                                                  text.replace("{{ $labels.domain }}", "docs.example.com"),
                                              ]),
                                          ),
                                      },
                                  ]
                                : [],
                    })),
                }),
            );
            const file = await write("tests.yaml", { rule_files: [ruleFile], evaluation_interval: "1m", tests });
            await run("promtool", ["test", "rules", file]).catch((error: { stdout: string; stderr: string }) =>
                assert.fail(error.stdout + error.stderr),
            );
            assert.deepEqual(
                rules.map(({ alert }) => alert).filter((alert) => !fired.has(alert)),
                [],
            );
        });

        it(`of ${chart} are valid expressions`, async () => {
            const text = await readFile(join(chartOf, "dashboards", dashboard), "utf8");
            const { panels } = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
            const rules = panels
                .flatMap(({ targets }) => targets)
                .map(({ expr }, index) => ({ record: `panel:${index}`, expr: expr.replaceAll(/\$\w+/g, "x") }));
            const file = await write("panels.yaml", { groups: [{ name: "panels", rules }] });
            const { stdout } = await run("promtool", ["check", "rules", file]);
            assert.match(stdout, new RegExp(`SUCCESS: ${rules.length} rules found`));
        });
    }
});
