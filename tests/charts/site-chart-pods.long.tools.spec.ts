import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { chartFolder, exported, helm, type Manifest, podTemplate, refusal, render } from "./support/render-chart.js";

type Values = Record<string, unknown>;

const valuesOf = async (name: string): Promise<Values> =>
    parse(await readFile(join(chartFolder, "ci", name), "utf8")) as Values;

describe("documentation-site: values that are common in charts", function () {
    this.timeout(120_000);

    let values: Values;
    let manifests: Map<string, Manifest>;
    before(async () => {
        values = await valuesOf("everything-values.yaml");
        manifests = await render(values);
    });

    it("control where and how the pods run", () => {
        const pod = podTemplate(manifests).spec as unknown as Values;
        const settings = ["priorityClassName", "nodeSelector", "tolerations", "affinity", "topologySpreadConstraints"];
        for (const setting of settings) {
            assert.deepEqual(pod[setting], values[setting], setting);
        }
    });

    it("add containers, variables and volumes to the pods", () => {
        const { containers, initContainers, volumes } = podTemplate(manifests).spec;
        assert.deepEqual(
            initContainers.map(({ name }) => name),
            ["wait", "fetch-bundle"],
        );
        assert.deepEqual(
            containers.map(({ name }) => name),
            ["nginx", "exporter"],
        );
        const nginx = JSON.stringify(containers[0]);
        assert.ok(nginx.includes('{"name":"TZ","value":"UTC"}') && nginx.includes("/srv/notes"), nginx);
        assert.ok(volumes.some(({ name }) => name === "notes"));
    });

    it("label all objects and pods, and leave the selector unchanged", async () => {
        for (const [key, { metadata }] of manifests) {
            assert.equal(metadata.labels?.["team"], key === "ConfigMap/docs-notes" ? undefined : "docs", key);
        }
        const { labels } = podTemplate(manifests).metadata;
        assert.deepEqual([labels["team"], labels["tier"]], ["docs", "web"]);
        const selectorOf = (rendered: Map<string, Manifest>) =>
            (rendered.get("Deployment/docs-documentation-site")?.["spec"] as { selector: object }).selector;
        assert.deepEqual(selectorOf(manifests), selectorOf(await render(exported)));
        assert.match(
            await refusal({ ...exported, commonLabels: { "app.kubernetes.io/name": "x" } }),
            /commonLabels\/app\.kubernetes\.io~1name.*false schema/,
        );
    });

    it("add extra objects and evaluate the templates in them", () => {
        assert.ok(manifests.has("ConfigMap/docs-notes"), [...manifests.keys()].join(", "));
    });

    it("change the registry of every image in the chart", async () => {
        const answer = { enabled: true, image: { repository: "acme/static-export", tag: "1" } };
        const global = { imageRegistry: "registry.example.com:5000" };
        const { initContainers, containers } = podTemplate(await render({ ...exported, global, answer })).spec;
        for (const { name, image } of [...initContainers, ...containers]) {
            assert.match(image, /^registry\.example\.com:5000\/(nginxinc\/|acme\/|node:)/, name);
        }
        assert.match(await refusal({ ...exported, global: { imageRegistry: "a b" } }), /global\/imageRegistry/);
    });

    it("fit into the annotation of `kubectl apply`, which contains the whole ConfigMap", async () => {
        const configMap = (await render(exported)).get("ConfigMap/docs-documentation-site");
        const kubernetesLimit = 256 * 1024;
        assert.ok(Buffer.byteLength(JSON.stringify(configMap)) < 0.9 * kubernetesLimit);
    });

    it("pass helm lint with every file in ci/", async () => {
        const names = await readdir(join(chartFolder, "ci"));
        assert.deepEqual(names.sort(), ["everything-values.yaml", "minimal-values.yaml"]);
        for (const name of names) {
            assert.match(await helm(["lint", "--strict"], await valuesOf(name)), /0 chart\(s\) failed/, name);
        }
    });
});
