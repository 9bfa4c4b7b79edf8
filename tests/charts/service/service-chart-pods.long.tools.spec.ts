import assert from "node:assert/strict";
import { parse } from "yaml";
import { type Manifest, nameOf } from "../support/render-chart.js";
import { podsOf, renderService, required, serviceName as name } from "../support/service-pods.js";

const agents = { projects: { docs: "https://git.example.com/acme/docs#main" }, command: ["/usr/bin/claude"] };

describe("static-export-service: pod scheduling and settings", function () {
    this.timeout(120_000);

    it("apply to all pods, unless a component overrides them", async () => {
        const settings = {
            nodeSelector: { pool: "usual" },
            tolerations: [{ key: "usual", operator: "Exists" }],
            priorityClassName: "usual",
        };
        const own = { nodeSelector: { pool: "large" }, priorityClassName: "low" };
        const pods = podsOf(await renderService({ ...required, agents, ...settings, worker: own }));
        for (const [pod, { nodeSelector, tolerations, priorityClassName }] of pods) {
            const expected = pod === `${name}-worker` ? { ...settings, ...own } : settings;
            assert.deepEqual({ nodeSelector, tolerations, priorityClassName }, expected, pod);
        }
        assert.equal(pods.size, 4);
    });

    it("pass texts of the values on without Kubernetes replacing $(NAME) in them", async () => {
        const text = "$(HOME)";
        const url = `https://example.com/${text}`;
        const groups = { docs: { scopes: ["read"], domains: [], projects: [] } };
        const pods = podsOf(
            await renderService({
                ...required,
                publicUrl: url,
                previewDomains: { docs: text },
                bucket: { url: `s3://docs/${text}`, endpoint: url, publicEndpoint: url, region: text },
                pages: { oidc: { issuer: url, clientId: text, groupsClaim: text, scope: text, groups } },
                agents: {
                    projects: { docs: url },
                    command: ["/usr/bin/agent", text],
                    forge: { api: `github=${url}`, existingSecret: "forge" },
                },
            }),
        );
        const given = [...pods.values()]
            .flatMap(({ containers }) => containers)
            .flatMap(({ args, env }) => [...args, ...env.map(({ name, value }) => `${name}=${value}`)])
            .filter((each) => each.includes(text));
        assert.deepEqual(
            given.filter((each) => !each.includes(`$${text}`)),
            [],
        );
        assert.deepEqual([...new Set(given.map((each) => each.split("=")[0]))].sort(), [
            "--agent-command",
            "--agent-forge",
            "--agent-project",
            "--bucket",
            "--bucket-endpoint",
            "--bucket-public-endpoint",
            "--oidc-client-id",
            "--oidc-groups-claim",
            "--oidc-issuer",
            "--oidc-scope",
            "--preview-domain",
            "--public-url",
            "AWS_REGION",
        ]);
    });

    const usual = ["agent-worker", "agents", "api", "builds", "migrate", "worker"];
    const trusted = ["api", "migrate", "worker"];
    const always = "requiredDuringSchedulingIgnoredDuringExecution";
    /** Each setting for all pods, with a text that its pods contain; and the pods that it is for. */
    const shared: [setting: string, value: unknown, text: string, pods: string[]][] = [
        ["imagePullSecrets", [{ name: "registry-key" }], "registry-key", usual],
        ["podSecurityContext", { runAsUser: 4711 }, '"runAsUser":4711', usual],
        ["podAnnotations", { "example.com/note": "docs-note" }, "docs-note", usual],
        ["podLabels", { tier: "docs-tier" }, "docs-tier", usual],
        ["commonLabels", { team: "docs-team" }, "docs-team", usual],
        ["nodeSelector", { pool: "docs-pool" }, "docs-pool", usual],
        ["tolerations", [{ key: "docs-key", operator: "Exists" }], "docs-key", usual],
        ["affinity", { podAntiAffinity: { [always]: [{ topologyKey: "docs-affinity" }] } }, "docs-affinity", usual],
        ["priorityClassName", "docs-priority", "docs-priority", usual],
        ["global", { imageRegistry: "mirror.example.com" }, "mirror.example.com/", usual],
        ["extraEnv", [{ name: "HTTPS_PROXY", value: "http://proxy" }], "HTTPS_PROXY", trusted],
        ["extraVolumes", [{ name: "ca", configMap: { name: "ca-bundle" } }], "ca-bundle", trusted],
        ["extraVolumeMounts", [{ name: "ca", mountPath: "/etc/ca" }], "/etc/ca", trusted],
        ["containerSecurityContext", { runAsUser: 4711 }, '"runAsUser":4711', usual],
        // A Job has one pod, which is not spread.
        [
            "topologySpreadConstraints",
            [{ maxSkew: 1, topologyKey: "docs-zone", whenUnsatisfiable: "DoNotSchedule" }],
            "docs-zone",
            usual.filter((pod) => !["agents", "builds", "migrate"].includes(pod)),
        ],
    ];
    for (const [setting, value, text, pods] of shared) {
        it(`apply to every pod that they are for: ${setting}`, async () => {
            const builds = { enabled: true };
            const extraVolumes = [{ name: "ca", emptyDir: {} }];
            const manifests = await renderService({ ...required, agents, builds, extraVolumes, [setting]: value });
            // The workers create the pods of builds and agents with the settings in a ConfigMap.
            const settings = [...manifests].flatMap(([id, manifest]) =>
                /^(?:Deployment|Job)\/|^ConfigMap\/.*-(?:agents|builds)$/.test(id) ? [manifest] : [],
            );
            assert.equal(settings.length, usual.length);
            const textOf = ({ spec, data }: Manifest) =>
                JSON.stringify(
                    spec === undefined
                        ? parse((data as { "pods.yaml": string })["pods.yaml"])
                        : (spec as { template: object }).template,
                );
            assert.deepEqual(
                settings
                    .filter((manifest) => textOf(manifest).includes(text))
                    .map(nameOf)
                    .sort(),
                pods.map((pod) => `${name}-${pod}`),
            );
        });
    }

    it("add a component's extra containers only to its own pods", async () => {
        const proxy = { name: "proxy", image: "registry.example.com/proxy:1" };
        const wait = { name: "wait", image: "registry.example.com/wait:1" };
        const api = { extraContainers: [proxy], initContainers: [wait] };
        const pods = podsOf(await renderService({ ...required, api }));
        assert.deepEqual(pods.get(`${name}-api`)?.containers[1], proxy);
        assert.deepEqual(pods.get(`${name}-api`)?.initContainers, [wait]);
        assert.equal(pods.get(`${name}-worker`)?.containers.length, 1);
    });

    it("restart the workers whose pods for builds or agents get other settings", async () => {
        const templates = async (values: object) => {
            const manifests = await renderService({ ...required, agents, builds: { enabled: true }, ...values });
            return ["agent-worker", "api", "worker"].map((pod) =>
                JSON.stringify(manifests.get(`Deployment/${name}-${pod}`)?.["spec"]),
            );
        };
        const before = await templates({});
        const changedBy = async (values: object) =>
            (await templates(values)).map((template, index) => template !== before[index]);
        const image = { repository: "registry.example.com/other" };
        assert.deepEqual(await changedBy({}), [false, false, false]);
        assert.deepEqual(await changedBy({ agents: { ...agents, pods: { image } } }), [true, false, false]);
        assert.deepEqual(await changedBy({ builds: { enabled: true, image } }), [false, false, true]);
    });
});

describe("static-export-service: the rendered objects", function () {
    this.timeout(120_000);

    it("have the configured names and labels", async () => {
        const named = await renderService({ ...required, fullnameOverride: "admin", commonLabels: { team: "docs" } });
        assert.deepEqual([...named.keys()].sort(), [
            "ConfigMap/admin-sites",
            "Deployment/admin-api",
            "Deployment/admin-worker",
            "Job/admin-migrate",
            "NetworkPolicy/admin",
            "NetworkPolicy/admin-migrate",
            "PodDisruptionBudget/admin-api",
            "Service/admin-api",
            "ServiceAccount/admin",
        ]);
        for (const [key, { metadata }] of named) {
            assert.equal(metadata.labels?.["team"], "docs", key);
        }
    });
});
