import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { chartFolder, exported, type Manifest, podTemplate, render } from "./support/render-chart.js";

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
        const settings = ["priorityClassName", "nodeSelector", "tolerations", "affinity"];
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

    it("fit into the annotation of `kubectl apply`, which contains the whole ConfigMap", async () => {
        const configMap = (await render(exported)).get("ConfigMap/docs-documentation-site");
        const kubernetesLimit = 256 * 1024;
        assert.ok(Buffer.byteLength(JSON.stringify(configMap)) < 0.9 * kubernetesLimit);
    });
});
