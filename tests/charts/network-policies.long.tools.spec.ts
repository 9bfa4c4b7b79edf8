import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { sitesChart } from "./sites/support/edge-fixture.js";
import { allowsEgress, type Destination, type PolicySpec } from "./support/network-policy.js";
import { chartFolder, exported, type Manifest, refusal, render, serviceChartFolder } from "./support/render-chart.js";
import { required } from "./support/service-pods.js";

const builds = { enabled: true };

/** Each chart with values with which all of its policies exist. */
const charts: Record<string, { folder: string; values: object }> = {
    "documentation-site": { folder: chartFolder, values: exported },
    "documentation-sites": { folder: sitesChart, values: { bucket: { name: "docs" } } },
    "static-export-service": {
        folder: serviceChartFolder,
        values: { ...required, builds },
    },
};

/** The cluster's API, databases, metadata, private networks, and public addresses, for both IP versions. */
const destinations: Destination[] = [
    ...["10.96.0.1", "169.254.169.254", "192.168.1.2", "100.64.0.1", "127.0.0.1", "168.63.129.16", "8.8.8.8"],
    ...["fd00:ec2::254", "fe80::1", "::ffff:a00:1", "64:ff9b::a00:1", "2002:a00:1::1", "::1", "2001:4860:4860::8888"],
].flatMap((address) => [
    ...[53, 80, 443, 5432, 6443, 8787, 9000].map((port) => ({ address, port })),
    { address, port: 53, protocol: "UDP" } as const,
]);

const policiesOf = (manifests: Map<string, Manifest>) =>
    [...manifests.values()].filter(({ kind }) => kind === "NetworkPolicy");
const allowed = (policy: Manifest) => destinations.filter((destination) => allowsEgress(policy, destination));

/** The paths of the lists below each `networkPolicy` of values. */
function listsOf(values: object, below: string[] = []): string[][] {
    return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
        const at = [...below, key];
        if (Array.isArray(value)) {
            return at.includes("networkPolicy") ? [at] : [];
        }
        return typeof value === "object" && value !== null ? listsOf(value, at) : [];
    });
}

function withEmptyList(values: object, [key = "", ...below]: string[]): object {
    const inside = (values as Record<string, object | undefined>)[key] ?? {};
    return { ...values, [key]: below.length === 0 ? [] : withEmptyList(inside, below) };
}

for (const [chart, { folder, values }] of Object.entries(charts)) {
    describe(`${chart}: a NetworkPolicy`, function () {
        this.timeout(120_000);

        it("allows no further connection when one of its lists is empty", async () => {
            const defaults = parse(await readFile(path.join(folder, "values.yaml"), "utf8")) as object;
            const lists = listsOf(defaults);
            const usual = await render(values, folder);
            assert.ok(lists.length >= 4 && policiesOf(usual).length > 0, chart);
            for (const list of lists) {
                const manifests = await render(withEmptyList(values, list), folder);
                for (const policy of policiesOf(manifests)) {
                    const before = usual.get(`NetworkPolicy/${policy.metadata.name}`);
                    assert.ok(before, policy.metadata.name);
                    const usually = allowed(before);
                    assert.deepEqual(
                        allowed(policy).filter((destination) => !usually.includes(destination)),
                        [],
                        `${policy.metadata.name} with an empty ${list.join(".")}`,
                    );
                }
            }
        });
    });
}

describe("static-export-service: the NetworkPolicy of the other pods", function () {
    this.timeout(120_000);

    it("exists by default, and allows the ports in addresses of the values in addition to those listed", async () => {
        const values = {
            ...required,
            bucket: { ...required.bucket, endpoint: "http://minio.storage.svc:9000" },
            sites: {
                "docs.example.com": "git+ssh://git@git.example.com/acme/docs.git#main",
                "api.example.com": { source: "git+https://git.example.com:8443/acme/api.git", build: {} },
            },
            agents: { forge: { api: "github=https://git.example.com:7443/api/v3", existingSecret: "forge" } },
            pages: {
                oidc: {
                    issuer: "https://id.example.com:9443",
                    clientId: "docs",
                    groups: { docs: { scopes: ["read"] } },
                },
            },
        };
        const policy = (await render(values, serviceChartFolder)).get("NetworkPolicy/docs-static-export-service");
        assert.ok(policy);
        const reached = [22, 80, 443, 5432, 6443, 7443, 8443, 9000, 9443].filter((port) =>
            allowsEgress(policy, { address: "203.0.113.1", port }),
        );
        assert.deepEqual(reached, [22, 443, 5432, 7443, 8443, 9000, 9443]);
    });

    it("has a counterpart for the migration, which runs before the policy exists", async () => {
        const manifests = await render(required, serviceChartFolder);
        const policy = manifests.get("NetworkPolicy/docs-static-export-service-migrate");
        const job = manifests.get("Job/docs-static-export-service-migrate");
        assert.ok(policy && job);
        const { annotations } = policy.metadata;
        assert.equal(annotations?.["helm.sh/hook"], job.metadata.annotations?.["helm.sh/hook"]);
        assert.ok(Number(annotations?.["helm.sh/hook-weight"]) < 0);
        const { podSelector, egress } = policy.spec as PolicySpec;
        const { labels } = (job.spec as { template: Manifest }).template.metadata;
        for (const [label, value] of Object.entries(podSelector.matchLabels ?? {})) {
            assert.equal(labels[label], value);
        }
        const usual = manifests.get("NetworkPolicy/docs-static-export-service");
        assert.deepEqual(egress, (usual?.spec as PolicySpec).egress);
        const plain = await render({ ...required, migration: { hook: false } }, serviceChartFolder);
        assert.ok(!plain.has("NetworkPolicy/docs-static-export-service-migrate"));
    });
});

describe("static-export-service: the NetworkPolicy of builds", function () {
    this.timeout(120_000);
    const renderBuilds = async (networkPolicy: object = {}) => {
        const service = { ...required, networkPolicy, builds };
        const policy = (await render(service, serviceChartFolder)).get(
            "NetworkPolicy/docs-static-export-service-builds",
        );
        assert.ok(policy);
        return (address: string, port = 443) => allowsEgress(policy, { address, port });
    };

    it("allows public addresses of both IP versions, and no private address", async () => {
        const isAllowed = await renderBuilds();
        const reached = [...new Set(destinations.map(({ address }) => address))].filter((each) => isAllowed(each));
        assert.deepEqual(reached, ["8.8.8.8", "2001:4860:4860::8888"]);
        assert.equal(isAllowed("8.8.8.8", 80), false);
    });

    it("names only networks that the API of Kubernetes accepts, which IPv4-mapped ones are not", async () => {
        const manifests = await render({ ...required, builds }, serviceChartFolder);
        assert.doesNotMatch(JSON.stringify(policiesOf(manifests)), /::ffff:/i);
    });

    it("allows public addresses only of IP versions with blocked networks", async () => {
        const isAllowed = await renderBuilds({ blockedNetworks: ["10.0.0.0/8"] });
        assert.deepEqual([isAllowed("8.8.8.8"), isAllowed("10.0.0.1"), isAllowed("fd00::1")], [true, false, false]);
        assert.equal((await renderBuilds({ blockedNetworks: [] }))("8.8.8.8"), false);
    });

    it("is refused with a further rule that names no peers, because such a rule allows all addresses", async () => {
        for (const rule of [{}, { to: [] }, { ports: [{ port: 80 }] }]) {
            const service = { ...required, builds: { ...builds, networkPolicy: { reach: [rule] } } };
            assert.match(await refusal(service, serviceChartFolder), /builds\/networkPolicy\/reach/);
        }
    });
});
