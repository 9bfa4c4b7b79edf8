import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import fc from "fast-check";
import { parse, stringify } from "yaml";
import { sitesChart } from "../../charts/sites/support/edge-fixture.js";
import { chartFolder, helm, type Manifest, objectsIn, serviceChartFolder } from "../../charts/support/render-chart.js";
import { arbitraryValue } from "./support/arbitrary-values.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";

const casesPerChart = 12 * Number(process.env.SPEC_SCALE ?? 1);

/** Kinds of the API server itself. The cluster has no operators. */
const isBuiltIn = ({ apiVersion }: { apiVersion: string }) =>
    !apiVersion.includes(".") || apiVersion.includes(".k8s.io");

describe("values that a chart accepts are accepted by the API server", () => {
    const cluster = useSharedCluster();
    let namespace: Namespace;

    before(async () => {
        namespace = await Namespace.create(cluster(), "accepted");
    });
    after(async () => {
        await namespace?.remove();
    });

    for (const chart of [chartFolder, sitesChart, serviceChartFolder]) {
        it(`in random settings of the pods, Services and policies of ${basename(chart)}`, async () => {
            const read = async (file: string) => parse(await readFile(join(chart, file), "utf8")) as object;
            const minimal = await read("ci/minimal-values.yaml");
            const { definitions } = (await read("values.schema.json")) as { definitions: Record<string, object> };
            const of = (name: string) => arbitraryValue(name, definitions);
            const pods = fc.record({
                affinity: of("affinity"),
                // The API server knows the operators Gt and Lt only if a feature is enabled.
                tolerations: of("tolerations").filter((each) => !/"[GL]t"/.test(JSON.stringify(each))),
                topologySpreadConstraints: of("spread"),
                nodeSelector: of("labels"),
            });
            const values = fc
                .record({
                    pods,
                    resources: of("resources"),
                    behavior: of("behavior"),
                    ingressFrom: of("peers"),
                    podLabels: of("labels"),
                    annotations: of("texts"),
                    probes: fc.record({ startup: of("probe"), readiness: of("readinessProbe"), liveness: of("probe") }),
                })
                .map(({ pods: own, resources, behavior, ingressFrom, annotations, ...rest }) => {
                    const scaled = { resources, autoscaling: { enabled: true, behavior } };
                    const isService = chart === serviceChartFolder;
                    return {
                        ...minimal,
                        ...rest,
                        ...own,
                        ...(isService ? { api: { ...own, ...scaled, annotations } } : { ...scaled, annotations }),
                        networkPolicy: { ingressFrom },
                        ingress: { enabled: true },
                    };
                });
            const objects: Manifest[] = [];
            let refusedCount = 0;
            for (const [index, each] of fc.sample(values, casesPerChart).entries()) {
                try {
                    objects.push(...objectsIn(await helm(["template", `docs-${index}`, "--skip-tests"], each, chart)));
                } catch (error) {
                    // The rules that are not in the schema, by which the values are chosen.
                    assert.match((error as { stderr: string }).stderr, /requests more|two entries with/);
                    refusedCount++;
                }
            }
            console.log(`      ${objects.length} objects; ${refusedCount} of ${casesPerChart} refused by the chart`);
            assert.ok(refusedCount < casesPerChart);
            await namespace.apply(
                objects
                    .filter(isBuiltIn)
                    .map((each) => stringify(each))
                    .join("---\n"),
                "--dry-run=server",
            );
        });
    }
});
