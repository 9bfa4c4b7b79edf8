import assert from "node:assert/strict";
import { parse } from "yaml";
import { codeBlocks } from "../docs/support/documents.js";
import { sitesChart } from "./sites/support/edge-fixture.js";
import { allowsEgress } from "./support/network-policy.js";
import {
    chartFolder,
    exported,
    type Manifest,
    nameOf,
    render,
    serviceChartFolder,
    sidecars,
} from "./support/render-chart.js";
import { optionalPods, podsOf, required } from "./support/service-pods.js";

const page = "docs/guides/on-your-platform.md";
interface Chart {
    folder: string;
    values: object;
}

const service: Chart = { folder: serviceChartFolder, values: required };
const all: Chart[] = [
    { folder: chartFolder, values: exported },
    { folder: sitesChart, values: { bucket: { name: "docs" } } },
    service,
];

type Manifests = Map<string, Manifest>;

/** Asserts that every policy of the release's own pods allows a port. */
function assertAllowed(manifests: Manifests, port: number): void {
    const policies = [...manifests.values()].filter(({ kind }) => kind === "NetworkPolicy");
    assert.ok(policies.length > 0);
    for (const policy of policies) {
        assert.ok(allowsEgress(policy, { address: "10.1.2.3", port }), `${policy.metadata.name} refuses ${port}`);
    }
}

/** Asserts that these are all containers, and that a quota of any resource admits them. */
function assertLimited(manifests: Manifests, names: readonly string[]): void {
    const containers = [...podsOf(manifests).values()].flatMap(({ initContainers = [], containers }) => [
        ...initContainers,
        ...containers,
    ]);
    assert.deepEqual(containers.map(({ name }) => name).sort(), names);
    for (const { name, resources } of containers) {
        assert.deepEqual(Object.keys(resources.limits ?? {}).sort(), ["cpu", "ephemeral-storage", "memory"], name);
    }
}

/** The effects of the values, by the file that the page names, and the charts that the values are for. */
const promises: Record<string, { charts?: Chart[]; holds(manifests: Manifests): void }> = {
    "openshift.yaml": {
        holds: (manifests) => {
            assert.doesNotMatch(JSON.stringify([...manifests.values()]), /"(?:runAsUser|runAsGroup|fsGroup)":/);
        },
    },
    "ports.yaml": {
        holds: (manifests) => {
            assertAllowed(manifests, 6432);
            assertAllowed(manifests, 9000);
        },
    },
    "istio.yaml": { holds: (manifests) => assertAllowed(manifests, 15012) },
    "istio-service.yaml": {
        charts: [{ ...service, values: { ...required, ...optionalPods } }],
        holds: (manifests) => {
            const excluded = [...manifests.values()]
                .filter(({ kind }) => ["Deployment", "Job", "ConfigMap"].includes(kind))
                .filter((manifest) => /sidecar\.istio\.io\/inject\W+false/.test(JSON.stringify(manifest)));
            assert.deepEqual(excluded.map((each) => nameOf(each).split("-").at(-1)).sort(), [
                "agents",
                "builds",
                "migrate",
            ]);
        },
    },
    "dual-stack.yaml": {
        holds: (manifests) => {
            const services = [...manifests.values()].filter(({ kind }) => kind === "Service");
            assert.deepEqual(
                services.map(({ spec }) => (spec as { ipFamilies: string[] }).ipFamilies),
                [["IPv6", "IPv4"]],
            );
        },
    },
    "nat64.yaml": {
        charts: [{ ...service, values: { ...required, builds: optionalPods.builds } }],
        holds: (manifests) => {
            const policy = manifests.get("NetworkPolicy/docs-static-export-service-builds");
            assert.ok(policy);
            const isAllowed = (address: string) => allowsEgress(policy, { address, port: 443 });
            assert.ok(isAllowed("64:ff9b::808:808"));
            for (const address of ["a00:1", "6440:1", "7f00:1", "a9fe:a9fe", "ac10:1", "c0a8:1", "a83f:8110", "0:1"]) {
                assert.ok(!isAllowed(`64:ff9b::${address}`), address);
            }
        },
    },
    "amd64.yaml": {
        charts: [{ ...service, values: { ...required, ...optionalPods } }],
        holds: (manifests) => {
            const selectors = [...podsOf(manifests).values()].map(({ nodeSelector }) => nodeSelector);
            assert.deepEqual(selectors, Array(4).fill({ "kubernetes.io/arch": "amd64" }));
        },
    },
    "quota.yaml": {
        charts: [{ ...service, values: { ...required, ...optionalPods } }],
        holds: (manifests) => {
            assertLimited(manifests, ["agent-worker", "api", "migrate", "worker"]);
            const limitsOf = (pods: string) => {
                const { data } = manifests.get(`ConfigMap/docs-static-export-service-${pods}`) as unknown as {
                    data: Record<string, string>;
                };
                const { main } = parse(String(data["pods.yaml"])) as { main: { resources: { limits: object } } };
                return Object.keys(main.resources.limits).sort();
            };
            assert.deepEqual(limitsOf("builds"), ["cpu"], "each build sets the others");
            assert.deepEqual(limitsOf("agents"), ["cpu", "memory"], "the worker sets the disk");
        },
    },
    "quota-site.yaml": {
        charts: [{ folder: chartFolder, values: { ...exported, ...sidecars } }],
        holds: (manifests) => assertLimited(manifests, ["answer", "fetch-bundle", "nginx", "sign-in"]),
    },
    "argo-cd.yaml": {
        charts: [service],
        holds: (manifests) => assert.doesNotMatch(JSON.stringify([...manifests.values()]), /helm\.sh\/hook/),
    },
};

/** Merges values like Helm, which removes a default whose value is null. */
function merge(values: object, others: object): object {
    const merged = Object.entries(others).map(([key, value]: [string, unknown]) => {
        const own = (values as Record<string, unknown>)[key];
        const isMap = [own, value].every((each) => typeof each === "object" && each !== null && !Array.isArray(each));
        return [key, isMap ? merge(own as object, value as object) : value];
    });
    return { ...values, ...(Object.fromEntries(merged) as object) };
}

describe("The values for platforms in the guide", function () {
    this.timeout(120_000);
    const blocks = codeBlocks(page).filter(({ language }) => language === "yaml");

    it("all have a promise in this spec", () => {
        assert.deepEqual(
            blocks.map(({ title }) => title),
            Object.keys(promises),
        );
    });

    for (const { title = "", text } of blocks) {
        it(`do what the guide says: ${title}`, async () => {
            const { charts = all, holds = () => assert.fail(title) } = promises[title] ?? {};
            for (const { folder, values } of charts) {
                holds(await render(merge(values, parse(text) as object), folder));
            }
        });
    }
});
