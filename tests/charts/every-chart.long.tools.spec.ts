import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parse, parseAllDocuments, stringify } from "yaml";
import { sitesChart } from "./sites/support/edge-fixture.js";
import { chartFolder, helm, refusal, serviceChartFolder } from "./support/render-chart.js";

/** Parses rendered objects as Kubernetes does: by YAML 1.1, in which `on` is a boolean. Throws for a repeated key. */
function objectsIn(output: string): object[] {
    return parseAllDocuments(output, { version: "1.1" }).map((document) => {
        if (document.errors[0]) {
            throw document.errors[0];
        }
        return document.toJS() as object;
    });
}

interface Rendered {
    kind: string;
    metadata: { name: string; labels: Record<string, string>; annotations: Record<string, string> };
    spec: { template: Pick<Rendered, "metadata"> };
}

/** Lists all maps with one of these names, at any depth. */
function mapsOf(value: unknown, ...names: string[]): [name: string, map: object][] {
    if (typeof value !== "object" || value === null) {
        return [];
    }
    return Object.entries(value).flatMap(([key, inner]): [string, object][] => [
        ...(names.includes(key) && !Array.isArray(inner) ? [[key, inner as object] as [string, object]] : []),
        ...mapsOf(inner, ...names),
    ]);
}

/** Lists the entries of these maps. */
function entriesOf(value: unknown, ...names: string[]): [string, unknown][] {
    return mapsOf(value, ...names).flatMap(([, map]) => Object.entries(map));
}

async function exampleOf(chart: string, name: "minimal" | "everything"): Promise<object> {
    return parse(await readFile(join(chart, "ci", `${name}-values.yaml`), "utf8")) as object;
}

for (const chart of [chartFolder, sitesChart, serviceChartFolder]) {
    describe(`${basename(chart)}: what every chart promises`, function () {
        this.timeout(120_000);
        const isService = chart === serviceChartFolder;
        let minimal: object;
        let everything: object;

        before(async () => {
            minimal = await exampleOf(chart, "minimal");
            everything = await exampleOf(chart, "everything");
        });

        it("renders labels that Kubernetes takes, also if names look like numbers and the version has a commit", async () => {
            const folder = await mkdtemp(join(tmpdir(), "chart-"));
            try {
                await cp(chart, folder, { recursive: true });
                const file = join(folder, "Chart.yaml");
                const text = await readFile(file, "utf8");
                await writeFile(file, text.replace(/^(version: .*)$/m, "$1+0a1b2c3d4e5f"));
                for (const name of ["1234", "true", "on"]) {
                    const values = { ...minimal, nameOverride: "1234", fullnameOverride: "docs" };
                    const objects = objectsIn(await helm(["template", name], values, folder));
                    const labels = entriesOf(objects, "labels", "matchLabels");
                    const chartLabels = labels.filter(([key]) => key === "helm.sh/chart").map(([, value]) => value);
                    assert.match(String(chartLabels[0]), /^[a-z-]+-[0-9.]+_0a1b2c3d4e5f$/);
                    for (const [key, value] of labels) {
                        assert.ok(typeof value === "string", `${key} is ${JSON.stringify(value)}`);
                        assert.match(value, /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/, key);
                    }
                }
            } finally {
                await rm(folder, { recursive: true });
            }
        });

        it("labels all objects, adds extra ones, takes images from one registry, and leaves selectors unchanged", async () => {
            const builds = { enabled: true, image: { repository: "acme/builder" } };
            const values = { ...everything, ...(isService && { builds }) };
            const output = await helm(["template", "docs"], values, chart);
            const objects = objectsIn(output) as Rendered[];
            const isExtra = ({ metadata }: Rendered) => metadata.name === "docs-notes";
            assert.equal(objects.filter(isExtra).length, 1);
            for (const { kind, metadata } of objects.filter((object) => !isExtra(object))) {
                assert.equal(metadata.labels.team, "docs", kind);
            }
            const selected = entriesOf(objects, "selector", "matchLabels").map(([label]) => label);
            assert.ok(selected.length > 0 && !selected.includes("team"));
            const ownImages = JSON.stringify(everything);
            const images = [...output.matchAll(/^\s*(?:- )?image: "?([^"\s]+)/gm)].map(([, image]) => image!);
            assert.ok(images.length > 0);
            assert.deepEqual(
                images.filter((image) => !image.startsWith("registry.example.com/") && !ownImages.includes(image)),
                [],
            );
            assert.match(
                await refusal({ ...minimal, global: { imageRegistry: "a b" } }, chart),
                /global\/imageRegistry/,
            );
        });

        it("contains each ConfigMap that its pods mount, also those of helm test", async () => {
            for (const values of [minimal, everything]) {
                const objects = objectsIn(await helm(["template", "docs"], values, chart)) as Rendered[];
                const names = objects.filter(({ kind }) => kind === "ConfigMap").map(({ metadata }) => metadata.name);
                const mounted = entriesOf(objects, "configMap").flatMap(([key, name]) =>
                    key === "name" ? [name] : [],
                );
                const own = mounted.filter((name) => String(name).startsWith("docs"));
                assert.deepEqual(
                    own.filter((name) => !names.includes(String(name))),
                    [],
                );
            }
        });

        it("refuses common labels that the chart itself sets", async () => {
            const commonLabels = { "app.kubernetes.io/name": "docs" };
            assert.match(await refusal({ ...minimal, commonLabels }, chart), /commonLabels.*app\.kubernetes\.io/s);
        });

        for (const enabled of [true, false]) {
            it(`is ${enabled ? "installed" : "left out"} if the condition of a parent chart is ${enabled}`, async () => {
                const folder = await mkdtemp(join(tmpdir(), "parent-"));
                try {
                    const name = basename(chart);
                    await cp(chart, join(folder, "charts", name), { recursive: true });
                    const dependencies = [{ name, alias: "docs", version: "*", condition: "docs.enabled" }];
                    const parent = { apiVersion: "v2", name: "parent", version: "1.0.0", dependencies };
                    await writeFile(join(folder, "Chart.yaml"), stringify(parent));
                    const output = await helm(["template", "all"], { docs: { ...minimal, enabled } }, folder);
                    assert.equal(output.includes("kind: Deployment"), enabled);
                } finally {
                    await rm(folder, { recursive: true });
                }
            });
        }

        for (const [type, expected] of [
            ["ClusterIP", []],
            ["NodePort", ["externalTrafficPolicy"]],
            ["LoadBalancer", ["externalTrafficPolicy", "loadBalancerClass"]],
        ] as const) {
            it(`gives a Service of type ${type} only settings of that type`, async () => {
                const service = { type, loadBalancerClass: "example.com/lb", externalTrafficPolicy: "Local" };
                const output = await helm(["template", "docs"], { ...minimal, service }, chart);
                const objects = objectsIn(output) as { kind: string; spec: object }[];
                const { spec } = objects.find(({ kind }) => kind === "Service")!;
                const rendered = ["externalTrafficPolicy", "loadBalancerClass"].filter((name) => name in spec);
                assert.deepEqual(rendered, expected);
            });
        }

        it("repeats no key if maps of the values have the same keys, also those of the chart", async () => {
            const { metrics, serviceMonitor } = everything as Record<string, object | undefined>;
            const annotations = { "helm.sh/hook": "x", release: "c" };
            const podLabels = { release: "b" };
            const labels = { release: "a", "app.kubernetes.io/name": "x" };
            const monitor = { enabled: true, labels };
            const values = {
                ...everything,
                commonLabels: { release: "d" },
                podLabels,
                podAnnotations: annotations,
                prometheusRule: monitor,
                dashboard: monitor,
                ...(metrics && { metrics: { ...metrics, podMonitor: monitor } }),
                ...(serviceMonitor && { serviceMonitor: monitor }),
            };
            const objects = objectsIn(await helm(["template", "docs"], values, chart)) as Rendered[];
            const monitors = objects.filter(({ kind }) => /Monitor|PrometheusRule/.test(kind));
            assert.ok(monitors.length >= 2);
            for (const { metadata } of monitors) {
                assert.equal(metadata.labels.release, "a");
                assert.equal(metadata.labels["app.kubernetes.io/name"], basename(chart));
            }
            const { template } = objects.find(({ kind }) => kind === "Deployment")!.spec;
            assert.equal(template.metadata.labels.release, "b");
            assert.equal(template.metadata.annotations.release, "c");
        });

        const withPods = (setting: object) => (isService ? { api: setting } : setting);
        for (const [title, values, says] of [
            [
                "variable",
                { extraEnv: [{ name: isService ? "HOME" : "DRAIN_SECONDS", value: "x" }] },
                /two variables named/,
            ],
            [
                "container",
                withPods({ extraContainers: [{ name: isService ? "api" : "nginx", image: "x" }] }),
                /two containers named/,
            ],
            ["volume", { extraVolumes: [{ name: "tmp", emptyDir: {} }] }, /two volumes named tmp/],
            ["mount", { extraVolumeMounts: [{ name: "notes", mountPath: "/tmp/" }] }, /two mounts at \/tmp/],
        ] as const) {
            it(`refuses a ${title} that the chart's pods have already`, async () => {
                assert.match(await refusal({ ...minimal, ...values }, chart), says);
            });
        }

        const isSite = chart === chartFolder;
        const withIngress = (host: string, port: number) => {
            const ingress = { enabled: true, ...(!isService && { hosts: [{ host }] }) };
            const url = `https://${host}:${port}`;
            return isService
                ? { ingress, publicUrl: url, bucket: { url: "s3://docs", endpoint: url } }
                : isSite
                  ? { ingress, staticExport: { enabled: true, bundleUrl: `${url}/docs.tar.gz` } }
                  : { ingress, bucket: { name: "docs", endpoint: url } };
        };

        for (const [title, name, values, says] of [
            ["a release with a dot", "docs.v2", {}, /"docs\.v2-\S+" cannot name a Service/],
            ["a release that begins with a digit", "1docs", {}, /"1docs-\S+" cannot name a Service/],
            ["a name with capitals", "docs", { nameOverride: "My_Docs" }, /"docs-My_Docs" cannot name a Service/],
            ["an Ingress for an address", "docs", withIngress("192.0.2.1", 443), /host.*192\.0\.2\.1/],
            ["port 0", "docs", withIngress("docs.example.com", 0), /0 is not a port/],
            ["port 99999", "docs", withIngress("docs.example.com", 99_999), /99999 is not a port/],
        ] as const) {
            it(`refuses ${title}, which the API server or the pods would refuse later`, async () => {
                const refused = helm(["template", name], { ...minimal, ...values }, chart);
                await assert.rejects(refused, ({ stderr }: { stderr: string }) => says.test(stderr));
            });
        }

        it("gives two releases different names, also if only their last characters differ", async () => {
            const namesOf = async (release: string) => {
                const objects = objectsIn(await helm(["template", release], minimal, chart)) as Rendered[];
                return objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
            };
            const start = "d".repeat(52);
            const [one, other] = [await namesOf(`${start}1`), await namesOf(`${start}2`)];
            assert.deepEqual(
                one.filter((name) => other.includes(name)),
                [],
            );
        });

        it("gives the disruption budget maxUnavailable if minAvailable is null", async () => {
            const podDisruptionBudget = { maxUnavailable: 2, minAvailable: null };
            const output = await helm(
                ["template", "docs"],
                { ...minimal, ...withPods({ podDisruptionBudget }) },
                chart,
            );
            const budget = objectsIn(output).find((object) => (object as Rendered).kind === "PodDisruptionBudget");
            const { spec } = budget as { spec: object };
            assert.deepEqual(Object.keys(spec).sort(), ["maxUnavailable", "selector", "unhealthyPodEvictionPolicy"]);
        });

        it("gives healthy pods of a busy node seconds for an answer, and minutes until a restart", async () => {
            const output = await helm(["template", "docs"], { ...everything, probes: {} }, chart);
            const probes = mapsOf(objectsIn(output), "startupProbe", "readinessProbe", "livenessProbe");
            assert.ok(probes.length > 2);
            for (const [kind, probe] of probes) {
                const numbers: Readonly<Record<string, number>> = { ...probe };
                const { timeoutSeconds = 1, periodSeconds = 10, failureThreshold = 3 } = numbers;
                assert.ok(timeoutSeconds >= 3, kind);
                assert.ok(kind !== "livenessProbe" || periodSeconds * failureThreshold >= 120, kind);
            }
        });

        it("gives an Ingress no host with capitals", async () => {
            const result = helm(["template", "docs"], { ...minimal, ...withIngress("Docs.example.com", 443) }, chart);
            if (isService) {
                assert.match(await result, /host: "docs\.example\.com"/);
            } else {
                await assert.rejects(result, /'Docs\.example\.com' does not match/);
            }
        });

        it("names its templates after itself, because a parent chart and its parts share one set of names", async () => {
            const templates = join(chart, "templates");
            const files = (await readdir(templates, { recursive: true })).filter((file) => /\.(tpl|yaml)$/.test(file));
            const texts = await Promise.all(files.map((file) => readFile(join(templates, file), "utf8")));
            const names = texts.flatMap((text) => [...text.matchAll(/define "([^"]+)"/g)].map(([, name]) => name!));
            assert.ok(names.length > 8);
            assert.deepEqual(
                names.filter((name) => !name.startsWith(`${basename(chart)}.`)),
                [],
            );
        });

        it("names a group of values that is null, and takes a list, a map of settings or labels that is null", async () => {
            const says = /the values have no networkPolicy: .*--reset-then-reuse-values/;
            assert.match(await refusal({ ...minimal, networkPolicy: null }, chart), says);
            const empty = { networkPolicy: { egressPorts: null }, commonLabels: null, probes: { startup: null } };
            const values = { ...minimal, ...empty, ...(!isService && { resources: null }) };
            assert.match(await helm(["template", "docs"], values, chart), /kind: Deployment/);
        });
    });
}
