import assert from "node:assert/strict";
import { sitesChart } from "./sites/support/edge-fixture.js";
import {
    byKindAndName,
    chartFolder,
    exported,
    helm,
    type Manifest,
    serviceChartFolder,
    sidecars,
} from "./support/render-chart.js";
import { optionalPods, required } from "./support/service-pods.js";

interface Probe {
    httpGet?: { path: string; port: string | number };
}

interface Container {
    name: string;
    resources: { requests?: Record<string, string>; limits?: Record<string, string> };
    readinessProbe?: Probe;
    livenessProbe?: Probe;
}

interface Pod {
    initContainers?: Container[];
    containers: Container[];
    volumes: { name: string; emptyDir?: { sizeLimit: string } }[];
}

/** Each chart with values that start all of its containers. */
const charts: Record<string, { folder: string; values: object; containers: string[] }> = {
    "documentation-site": {
        folder: chartFolder,
        values: { ...exported, ...sidecars },
        containers: ["answer", "fetch-bundle", "nginx", "sign-in", "test"],
    },
    "documentation-sites": {
        folder: sitesChart,
        values: { bucket: { name: "docs" } },
        containers: ["nginx", "test"],
    },
    "static-export-service": {
        folder: serviceChartFolder,
        values: { ...required, ...optionalPods },
        containers: ["agent-worker", "api", "migrate", "test", "worker"],
    },
};

/** All pods of a chart, also those of Jobs and of `helm test`. */
async function podsOf(folder: string, values: object): Promise<Pod[]> {
    return [...byKindAndName(await helm(["template", "docs"], values, folder)).values()]
        .filter(({ kind }) => ["Deployment", "Job", "Pod"].includes(kind))
        .map(({ kind, spec }) => (kind === "Pod" ? spec : (spec as { template: Manifest }).template.spec) as Pod);
}

const containersOf = ({ initContainers = [], containers }: Pod) => [...initContainers, ...containers];

/** A quantity of storage in MiB. */
function mebibytes(quantity: string): number {
    const [, number = "", suffix = ""] = /^([\d.]+)([KMGT]i?|k)?$/.exec(quantity) ?? [];
    const factor: Record<string, number> = { "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };
    const power = "KMGT".indexOf(suffix.charAt(0)) + 1;
    return (Number(number) * (suffix.endsWith("i") ? 1024 ** power : (factor[suffix] ?? NaN))) / 1024 ** 2;
}

for (const [chart, { folder, values, containers: names }] of Object.entries(charts)) {
    describe(`${chart}: on a node, a pod`, function () {
        this.timeout(120_000);

        it("requests and limits the memory and the local storage of each container, also in helm test", async () => {
            const containers = (await podsOf(folder, values)).flatMap(containersOf);
            assert.deepEqual([...new Set(containers.map(({ name }) => name))].sort(), names);
            for (const { name, resources } of containers) {
                const { requests = {}, limits = {} } = resources;
                assert.deepEqual(Object.keys(requests).sort(), ["cpu", "ephemeral-storage", "memory"], name);
                assert.ok("memory" in limits && "ephemeral-storage" in limits, name);
            }
        });

        it("is not evicted before its volumes are full, because they count as its local storage", async () => {
            for (const { containers, volumes } of await podsOf(folder, values)) {
                const limit = containers.reduce(
                    (sum, { resources }) => sum + mebibytes(resources.limits?.["ephemeral-storage"] ?? "0"),
                    0,
                );
                const inUse = volumes.reduce((sum, { emptyDir }) => sum + mebibytes(emptyDir?.sizeLimit ?? "0"), 0);
                assert.ok(limit > inUse, `${containers[0]?.name}: ${limit} > ${inUse}`);
            }
        });

        it("is restarted for another reason than it stops getting requests", async () => {
            const probed = (await podsOf(folder, values))
                .flatMap(containersOf)
                .filter(({ readinessProbe, livenessProbe }) => readinessProbe && livenessProbe);
            assert.ok(probed.length > 0);
            for (const { name, readinessProbe, livenessProbe } of probed) {
                assert.notDeepEqual(livenessProbe?.httpGet, readinessProbe?.httpGet, name);
            }
        });
    });
}

describe("Limits of local storage", function () {
    this.timeout(120_000);
    const limitOf = async (chart: string, more: object) => {
        const { folder, values } = charts[chart] ?? assert.fail(chart);
        const nginx = (await podsOf(folder, { ...values, ...more }))
            .flatMap(({ containers }) => containers)
            .find(({ name }) => name === "nginx");
        return nginx?.resources.limits?.["ephemeral-storage"];
    };

    it("follow the volumes of sites, unless the values name another limit", async () => {
        assert.equal(await limitOf("documentation-site", {}), "9216Mi");
        assert.equal(await limitOf("documentation-site", { siteVolumeSizeLimit: "1.5Ti" }), "1573888Mi");
        assert.equal(await limitOf("documentation-site", { siteVolumeSizeLimit: "20G" }), "20098Mi");
        assert.equal(await limitOf("documentation-site", { siteVolumeSizeLimit: "1048576" }), "1025Mi");
        assert.equal(await limitOf("documentation-sites", {}), "10304Mi");
        const resources = { limits: { "ephemeral-storage": "30Gi" } };
        for (const chart of ["documentation-site", "documentation-sites"]) {
            assert.equal(await limitOf(chart, { resources }), "30Gi");
        }
    });
});
