import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseLinkExpiry } from "@pulumi-static-export/sdk/internal";
import { ensureDebianPackages } from "@pulumi-static-export/toolchain";
import { withAssistant } from "../answer/support/ask-assistant.js";
import { LiveNginx } from "./support/live-nginx.js";
import { chartFolder, exported, type Manifest, podTemplate, refusal, render } from "./support/render-chart.js";

const monitored = { ...exported, metrics: { enabled: true, podMonitor: { enabled: true } } };
const name = "docs-documentation-site";
const page = "https://github.com/example--owner/pulumi-static-export/blob/main/docs/guides/alerts.md";

const files = {
    "healthz.json": '{"status":"ok","version":"v \\"1\\""}',
    "fetched.json": '{"attempts":2,"bytes":7,"from_cache":0}',
    "public/index.html": "front",
};

interface Rule {
    alert: string;
    expr: string;
    annotations: { runbook_url?: string };
}

async function rules(values: object = {}): Promise<Rule[]> {
    const manifests = await render({ ...monitored, prometheusRule: { enabled: true }, ...values });
    const { groups } = manifests.get(`PrometheusRule/${name}`)?.["spec"] as { groups: { rules: Rule[] }[] };
    return groups.flatMap((group) => group.rules);
}

describe("documentation-site: metrics", function () {
    this.timeout(120_000);

    let nginx: LiveNginx;
    const metrics = async (): Promise<string> => (await fetch(nginx.metricsUrl)).text();

    before(async () => {
        await ensureDebianPackages(["nginx-light", "libnginx-mod-http-js"]);
        const configMap = (await render({ ...monitored, nginx: { accessLog: false } })).get(`ConfigMap/${name}`);
        nginx = await LiveNginx.start("/usr/sbin/nginx", configMap as Manifest, files, "1793491200");
    });
    after(() => nginx.stop());

    it("count requests, and errors by status, and restart from zero after about a million errors", async () => {
        const errors = async (status: string): Promise<number> =>
            Number(
                new RegExp(`^documentation_site_errors_total\\{status="${status}"\\} (\\d+)$`, "m").exec(
                    await metrics(),
                )?.[1],
            );
        assert.deepEqual([await errors("4xx"), await errors("5xx")], [0, 0]);
        for (const path of ["/", "/none", "/none", "/metrics"]) {
            await (await fetch(nginx.url(path))).text();
        }
        assert.deepEqual([await errors("4xx"), await errors("5xx")], [3, 0]);
        assert.match(await metrics(), /^nginx_http_requests_total [1-9]\d*$/m);
        await nginx.addErrors("5xx", 1_048_577);
        assert.equal(await errors("5xx"), 1_048_577);
        assert.equal(await errors("5xx"), 0);
        await nginx.addErrors("5xx", 1);
        assert.equal(await errors("5xx"), 1);
    });

    it("report the version of the export, how it was fetched, and when its link expires", async () => {
        const text = await metrics();
        for (const line of [
            'documentation_site_info{version="v \\"1\\""} 1',
            "documentation_site_fetch_attempts 2",
            "documentation_site_fetch_bytes 7",
            "documentation_site_fetch_from_cache 0",
            "documentation_site_link_expires_timestamp_seconds 1793491200",
        ]) {
            assert.ok(text.split("\n").includes(line), `${line} in ${text}`);
        }
    });

    it("include the assistant's metrics while it runs", async () => {
        const image = { repository: "registry.example.com/static-export", tag: "1" };
        const answer = { enabled: true, image, assistant: { endpoint: "http://vllm:8000/v1", model: "m" } };
        const configMap = (await render({ ...monitored, answer })).get(`ConfigMap/${name}`) as Manifest;
        const data = configMap["data"] as Record<string, string>;
        let podWithAssistant: LiveNginx | undefined;
        const scrape = async () => {
            const response = await fetch(podWithAssistant?.metricsUrl ?? "");
            return [
                response.status,
                /^static_export_assistant_questions_total (.*)$/m.exec(await response.text())?.[1],
            ];
        };
        try {
            await withAssistant(
                [{ calls: "search", with: { query: "a" } }, { says: "x" }],
                async ({ ask, address }) => {
                    const config = data["nginx.conf"]?.replaceAll("127.0.0.1:8788", new URL(address).host);
                    const relocated = { ...configMap, data: { ...data, "nginx.conf": config } } as Manifest;
                    podWithAssistant = await LiveNginx.start("/usr/sbin/nginx", relocated, files);
                    assert.deepEqual(await scrape(), [200, "0"]);
                    await ask("Food?");
                    assert.deepEqual(await scrape(), [200, "1"]);
                },
            );
            assert.deepEqual(await scrape(), [200, undefined]);
        } finally {
            await podWithAssistant?.stop();
        }
        assert.doesNotMatch(await metrics(), /assistant/);
    });

    it("read the expiry of a link as the SDK does", async () => {
        const base = "https://bundles.example.com/a.tar.gz";
        for (const link of [
            `${base}?X-Amz-Date=20261101T101112Z&X-Amz-Expires=600&X-Amz-Signature=00`,
            `${base}?x-goog-expires=3600&X-Goog-Date=20261101T000000Z&X-Goog-Signature=00`,
            `${base}?sv=2024-11-04&se=2026-11-01T00%3A00%3A59Z&sig=a`,
            `${base}?expires=1793491200&signature=abc`,
            `${base}?X-Amz-Date=20261101&X-Amz-Expires=600`,
            base,
        ]) {
            const secret = (await render({ staticExport: { enabled: true, bundleUrl: link } })).get(`Secret/${name}`);
            const { "link-expires": encoded = "" } = secret?.["data"] as Record<string, string>;
            const expected = parseLinkExpiry(link);
            const shown = Buffer.from(encoded, "base64").toString();
            assert.equal(shown, expected === undefined ? "" : String(expected.getTime() / 1000), link);
        }
    });

    it("add no port, module, volume or object if they are disabled", async () => {
        const manifests = await render(exported);
        for (const [key, manifest] of manifests) {
            const text = JSON.stringify({
                ...manifest,
                data: key === `ConfigMap/${name}` ? undefined : manifest["data"],
            });
            assert.doesNotMatch(text, /8082|static-export-link/, key);
        }
        const { "nginx.conf": configuration = "" } = manifests.get(`ConfigMap/${name}`)?.["data"] as Record<
            string,
            string
        >;
        assert.doesNotMatch(configuration, /load_module|js_|8082|requests-/);
    });

    it("have access to the expiry of the link, but not to the link", async () => {
        const { containers, volumes } = podTemplate(await render(monitored)).spec;
        const mounted = containers[0]?.volumeMounts.map((mount) => mount.name) ?? [];
        const secrets = volumes.filter((volume) => mounted.includes(volume.name) && volume["secret"] !== undefined);
        assert.deepEqual(
            secrets.map(({ secret }) => (secret as { items: unknown }).items),
            [[{ key: "link-expires", path: "link-expires" }]],
        );
    });

    it("have alerts and a dashboard, limited to the chart's metrics and to this release", async () => {
        const { "documentation-site.json": json = "" } = (
            await render({ ...monitored, dashboard: { enabled: true } })
        ).get(`ConfigMap/${name}-dashboard`)?.["data"] as Record<string, string>;
        assert.deepEqual(
            JSON.parse(json),
            JSON.parse(await readFile(join(chartFolder, "dashboards/site.json"), "utf8")),
        );
        const { panels } = JSON.parse(json) as { panels: { targets: { expr: string }[] }[] };
        const known = await metrics();
        const expressions = [
            ...panels.flatMap(({ targets }) => targets.map(({ expr }) => [expr, 'namespace="$namespace",job="$job"'])),
            ...[...(await rules()), ...(await rules({ cache: { enabled: true } }))].map(({ expr }) => [
                expr,
                `namespace="default",job="default/${name}"`,
            ]),
        ];
        for (const [expression = "", labelsBegin = ""] of expressions) {
            for (const [, metric = "", labels = ""] of expression.matchAll(
                /\b((?:documentation_site|nginx)_\w+)\{(.*?)\}/g,
            )) {
                assert.ok(known.includes(`# TYPE ${metric} `), metric);
                assert.ok(labels.startsWith(labelsBegin), labels);
            }
        }
        assert.ok(expressions.length > 15);
    });

    it("have alerts that each link to a section of the guide, which has no sections for other alerts", async () => {
        const guide = await readFile("docs/guides/alerts.md", "utf8");
        const sections = [...guide.matchAll(/^### (DocumentationSite(?!s[A-Z])\w+)$/gm)].map(([, alert = ""]) => alert);
        const alerts = new Map(
            [...(await rules()), ...(await rules({ cache: { enabled: true } }))].map((rule) => [
                rule.alert,
                rule.annotations.runbook_url,
            ]),
        );
        assert.deepEqual([...alerts].sort(), sections.map((alert) => [alert, `${page}#${alert.toLowerCase()}`]).sort());
        assert.equal(
            (await rules({ prometheusRule: { enabled: true, runbookUrl: "" } }))[0]?.annotations.runbook_url,
            undefined,
        );
    });

    for (const part of ["prometheusRule", "dashboard"]) {
        it(`are needed by ${part}`, async () => {
            assert.match(
                await refusal({ ...exported, [part]: { enabled: true } }),
                /needs metrics\.podMonitor\.enabled/,
            );
        });
    }

    it("are needed by the PodMonitor", async () => {
        assert.match(
            await refusal({ ...exported, metrics: { podMonitor: { enabled: true } } }),
            /needs metrics\.enabled/,
        );
    });
});
