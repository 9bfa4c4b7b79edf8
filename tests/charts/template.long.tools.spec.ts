import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "yaml";
import {
    type Container,
    byKindAndName,
    digest,
    exported,
    helm,
    type Manifest,
    podTemplate,
    render,
} from "./support/render-chart.js";

const everything = {
    ...exported,
    staticExport: { ...exported.staticExport, sha256: "ab".repeat(32) },
    cache: { enabled: true },
    ingress: { enabled: true, className: "nginx", tls: [{ hosts: ["docs.example.com"], secretName: "docs-tls" }] },
    httpRoute: { enabled: true, parentRefs: [{ name: "public" }], hostnames: ["docs.example.com"] },
    autoscaling: { enabled: true },
    access: {
        oidc: {
            issuer: "https://id.example.com:8443/realms/docs",
            clientId: "docs",
            existingSecret: "docs-sign-in",
            url: "https://docs.example.com",
        },
    },
    fetch: { certificateAuthority: { configMap: "company-ca" }, extraEnv: [{ name: "NO_PROXY", value: "*" }] },
};

interface Ingress {
    ports: object[];
    from?: { podSelector?: { matchLabels: Record<string, string> } }[];
}

/** Removes the ConfigMap's files from rendered objects, because the fixtures need no copies of these files. */
function withoutFiles(manifests: Map<string, Manifest>): Record<string, Manifest> {
    const snapshot = structuredClone(Object.fromEntries(manifests));
    const configMap = snapshot["ConfigMap/docs-documentation-site"];
    if (configMap) {
        configMap.data = Object.keys(configMap.data as object);
    }
    const digestOfFiles = digest.exec(configMap?.metadata.name ?? "")?.[0] ?? "";
    return JSON.parse(JSON.stringify(snapshot).replaceAll(digestOfFiles, "-…")) as Record<string, Manifest>;
}

interface Named {
    [key: string]: unknown;
    name?: string;
}

/** Returns what a value has in addition to another one; entries of a list that have names are compared by name. */
function additions(base: unknown, value: unknown): unknown {
    if (isDeepStrictEqual(base, value)) {
        return undefined;
    }
    if (typeof base !== "object" || typeof value !== "object" || base === null || value === null) {
        return value;
    }
    if (Array.isArray(base) && Array.isArray(value)) {
        const counterpart = (entry: Named) =>
            (base as Named[]).find(
                (each) => isDeepStrictEqual(each, entry) || (each.name !== undefined && each.name === entry.name),
            );
        const added = (value as Named[]).map((entry) => additions(counterpart(entry), entry));
        return added.filter((entry) => entry !== undefined);
    }
    const added = Object.entries(value).map(([key, each]) => [key, additions((base as Named)[key], each)] as const);
    return Object.fromEntries(added.filter(([, each]) => each !== undefined));
}

function spec<T>(manifests: Map<string, Manifest>, key: string): T {
    const manifest = manifests.get(key);
    assert.ok(manifest, `${key} is not among ${[...manifests.keys()].join(", ")}`);
    return manifest.spec as T;
}

describe("documentation-site: the rendered chart", function () {
    this.timeout(120_000);

    async function matches(name: string, rendered: unknown): Promise<void> {
        const golden = new URL(`fixtures/${name}.yaml`, import.meta.url);
        if (process.env.UPDATE_SNAPSHOTS) {
            await writeFile(golden, stringify(rendered));
        }
        assert.deepEqual(rendered, parse(await readFile(golden, "utf8")));
    }

    it("matches tests/charts/fixtures/defaults.yaml with the default values", async () => {
        await matches("defaults", withoutFiles(await render(exported)));
    });

    it("matches tests/charts/fixtures/everything.yaml in what other values add", async () => {
        const [base, rendered] = [withoutFiles(await render(exported)), withoutFiles(await render(everything))];
        await matches("everything", additions(base, rendered));
    });

    it("contains nothing while staticExport.enabled is false", async () => {
        assert.equal((await render({})).size, 0);
    });

    it("runs every container without root, capabilities or a token, and with a read-only root file system", async () => {
        const tests = byKindAndName(await helm(["template", "docs"], exported));
        const pods = [...tests.values()]
            .filter((manifest) => manifest.kind === "Pod")
            .map((manifest) => manifest.spec as ReturnType<typeof podTemplate>["spec"]);
        assert.equal(pods.length, 2);
        for (const pod of [podTemplate(await render(everything)).spec, ...pods]) {
            assert.equal(pod.automountServiceAccountToken, false);
            assert.equal(pod.securityContext.runAsNonRoot, true);
            assert.deepEqual(pod.securityContext.seccompProfile, { type: "RuntimeDefault" });
            for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
                assert.deepEqual(container.securityContext, {
                    allowPrivilegeEscalation: false,
                    readOnlyRootFilesystem: true,
                    capabilities: { drop: ["ALL"] },
                });
                assert.ok((container.resources as { limits?: object }).limits, `${container.name} has no limits`);
            }
        }
    });

    it("exposes the link only to the init container, as a file that only the pod's group can read", async () => {
        const { initContainers, containers, volumes } = podTemplate(await render(exported)).spec;
        const mounts = (container: Container) => container.volumeMounts.map((mount) => mount.name);
        assert.deepEqual(
            initContainers.filter((each) => mounts(each).includes("link")).map((each) => each.name),
            ["fetch-bundle"],
        );
        assert.deepEqual(
            containers.filter((each) => mounts(each).includes("link")),
            [],
        );
        const volume = volumes.find((each) => each.name === "link");
        assert.match(
            JSON.stringify(volume?.secret),
            /^\{"secretName":"docs-documentation-site-[0-9a-f]{10}","defaultMode":288\}$/,
        );
    });

    it("leaves the number of replicas to the autoscaler if autoscaling is enabled", async () => {
        const deployment = (manifests: Map<string, Manifest>) =>
            spec<{ replicas?: number }>(manifests, "Deployment/docs-documentation-site");
        assert.equal(deployment(await render(exported)).replicas, 2);
        assert.equal(deployment(await render(everything)).replicas, undefined);
    });

    it("allows traffic only to the link's port, DNS, and the configured peers", async () => {
        const egressTo = [{ ipBlock: { cidr: "10.1.2.3/32" } }];
        const bundleUrl = "http://bucket.storage.svc:9000/b/se_42.tar.gz?sig=1";
        const manifests = await render({
            staticExport: { enabled: true, bundleUrl },
            networkPolicy: { egressTo, egressPorts: [7070] },
        });
        const policy = spec<{ egress: object[] }>(manifests, "NetworkPolicy/docs-documentation-site");
        assert.deepEqual(policy.egress[1], {
            ports: [
                { protocol: "TCP", port: 9000 },
                { protocol: "TCP", port: 7070 },
            ],
            to: egressTo,
        });
        assert.deepEqual(policy.egress[0], {
            ports: [53, 5353].flatMap((port) => ["UDP", "TCP"].map((protocol) => ({ protocol, port }))),
        });
        const standard = await render(exported);
        assert.deepEqual(spec<{ egress: object[] }>(standard, "NetworkPolicy/docs-documentation-site").egress[1], {
            ports: [{ protocol: "TCP", port: 443 }],
        });
    });

    it("allows traffic to the configured DNS ports, or to no DNS port if none is configured", async () => {
        const egress = async (dnsPorts: number[]) => {
            const manifests = await render({ ...exported, networkPolicy: { dnsPorts } });
            return spec<{ egress: object[] }>(manifests, "NetworkPolicy/docs-documentation-site").egress;
        };
        const link = { ports: [{ protocol: "TCP", port: 443 }] };
        const dns = {
            ports: [
                { protocol: "UDP", port: 8053 },
                { protocol: "TCP", port: 8053 },
            ],
        };
        assert.deepEqual(await egress([8053]), [dns, link]);
        assert.deepEqual(await egress([]), [link]);
    });

    it("admits the configured peers and helm test pods, or all clients if no peers are configured", async () => {
        const ingressFrom = [{ namespaceSelector: { matchLabels: { team: "web" } } }];
        const manifests = byKindAndName(
            await helm(["template", "docs"], { ...exported, networkPolicy: { ingressFrom } }),
        );
        const policy = spec<{ ingress: Ingress[] }>(manifests, "NetworkPolicy/docs-documentation-site");
        const [named, tests, ...others] = policy.ingress[0]?.from ?? [];
        assert.deepEqual([named, others], [ingressFrom[0], []]);
        const admitted = Object.entries(tests?.podSelector?.matchLabels ?? {});
        assert.ok(admitted.length > 0);
        const pods = [...manifests.values()].filter(({ kind }) => kind === "Pod");
        assert.equal(pods.length, 2);
        for (const { metadata } of pods) {
            assert.deepEqual(
                admitted.filter(([label, value]) => metadata.labels[label] !== value),
                [],
            );
        }
        const open = spec<{ ingress: Ingress[] }>(await render(exported), "NetworkPolicy/docs-documentation-site");
        assert.deepEqual(open.ingress, [{ ports: [{ protocol: "TCP", port: "http" }] }]);
    });

    it("passes the separator of groups to the init container only if readers are restricted", async () => {
        const separator = async (values: object) => {
            const [init] = podTemplate(await render({ ...exported, ...values })).spec.initContainers;
            return init?.env.find(({ name }) => name === "GROUPS_SEPARATOR")?.value;
        };
        const header = { groups: "X-Groups", separator: ";" };
        const networkPolicy = { ingressFrom: [{ podSelector: {} }] };
        assert.equal(await separator({}), undefined);
        assert.equal(await separator({ access: { header }, networkPolicy }), ";");
    });

    it("starts oauth2-proxy after the bundle is unpacked and before nginx, and stops it after nginx", async () => {
        const { initContainers, containers } = podTemplate(await render(everything)).spec;
        assert.deepEqual(
            initContainers.map(({ name, restartPolicy }) => [name, restartPolicy]),
            [
                ["fetch-bundle", undefined],
                ["sign-in", "Always"],
            ],
        );
        assert.deepEqual(
            containers.map(({ name }) => name),
            ["nginx"],
        );
    });

    it("starts the server for programs after unpacking, before nginx, and only on the loopback address", async () => {
        const image = { repository: "registry.example.com/static-export", tag: "1" };
        const { initContainers } = podTemplate(await render({ ...everything, answer: { enabled: true, image } })).spec;
        assert.deepEqual(
            initContainers.map(({ name, restartPolicy }) => [name, restartPolicy]),
            [
                ["fetch-bundle", undefined],
                ["sign-in", "Always"],
                ["answer", "Always"],
            ],
        );
        const answer = initContainers[2];
        assert.ok((answer?.args as string[]).includes("--host=127.0.0.1"));
        assert.equal(answer?.readinessProbe, undefined, "pages are served without it");
        assert.deepEqual(
            answer?.volumeMounts.map(({ name, readOnly = false }) => [name, readOnly]),
            [
                ["site", true],
                ["answer-tmp", false],
            ],
        );
    });

    it("configures the assistant's endpoint, its port, and the key from a Secret", async () => {
        const image = { repository: "registry.example.com/static-export", tag: "1" };
        const assistant = { endpoint: "http://vllm.models.svc:8000/v1", model: "m", existingSecret: "docs-model" };
        const manifests = await render({ ...exported, answer: { enabled: true, image, assistant } });
        const answer = podTemplate(manifests).spec.initContainers.find(({ name }) => name === "answer");
        const secretKeyRef = { name: "docs-model", key: "api-key" };
        assert.deepEqual(answer?.env, [{ name: "STATIC_EXPORT_ASSISTANT_API_KEY", valueFrom: { secretKeyRef } }]);
        assert.ok((answer?.args as string[]).includes(`--assistant-endpoint=${assistant.endpoint}`));
        const { egress } = spec<{ egress: object[] }>(manifests, "NetworkPolicy/docs-documentation-site");
        assert.deepEqual(egress.at(-1), { ports: [{ protocol: "TCP", port: 8000 }] });
        const without = await render({ ...exported, answer: { enabled: true, image } });
        assert.doesNotMatch(JSON.stringify([...without.values()]), /v2\/assistant|--assistant|ASSISTANT/);
    });

    it("probes each container at a declared port, because Kubernetes finds only declared ports by name", async () => {
        const { initContainers, containers } = podTemplate(await render(everything)).spec;
        for (const { name, ports = [], ...container } of [...initContainers, ...containers]) {
            const probes = [container["startupProbe"], container["readinessProbe"], container["livenessProbe"]];
            for (const probe of probes.filter((each) => each !== undefined)) {
                const { port } = (probe as { httpGet: { port: string | number } }).httpGet;
                const named = (ports as { name: string }[]).map((each) => each.name);
                assert.ok(typeof port === "number" || named.includes(port), `${name}: ${port}`);
            }
        }
    });

    it("uses an existing claim instead of creating one", async () => {
        const manifests = await render({ ...exported, cache: { enabled: true, existingClaim: "shared-cache" } });
        assert.ok(![...manifests.keys()].some((key) => key.startsWith("PersistentVolumeClaim/")));
        const cache = podTemplate(manifests).spec.volumes.find((volume) => volume.name === "cache");
        assert.deepEqual(cache?.persistentVolumeClaim, { claimName: "shared-cache" });
    });

    it("renders integers as integers even if YAML parses them as floats", async () => {
        const manifests = await render({ ...exported, fetch: { limits: { files: 10_000_000 } } });
        const env = podTemplate(manifests).spec.initContainers[0]?.env ?? [];
        assert.deepEqual(env.find((variable) => variable.name === "MAX_FILES")?.value, "10000000");
    });
});
