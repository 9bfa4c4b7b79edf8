import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { forgeKinds } from "../../../service/src/forge/forge-kinds.js";
import { readPodSettings } from "../../../service/src/pods/pod-settings.js";
import { withFolder } from "../../sdk/support/files.js";
import { refusal, serviceChartFolder } from "../support/render-chart.js";
import { type Pod, podsOf, renderService, required, serviceName } from "../support/service-pods.js";

const agents = {
    projects: { docs: "https://git.example.com/acme/docs#main", api: "ssh://git@git.example.com/acme/api.git" },
    command: ["/usr/bin/claude", "--print", 'say "done"'],
};
const bucket = { ...required.bucket, existingSecret: "s3" };

const restricted = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
};

async function renderAgents(
    values: object = {},
    rest: object = {},
): Promise<{ pod: Pod; container: Pod["containers"][0] }> {
    const manifests = await renderService({ ...required, bucket, ...rest, agents: { ...agents, ...values } });
    const pod = podsOf(manifests).get(`${serviceName}-agent-worker`);
    const container = pod?.containers[0];
    assert.ok(pod && container);
    return { pod, container };
}

interface Policy {
    podSelector: { matchLabels: Record<string, string> };
    ingress?: object[];
    egress: { ports: { port: number }[]; to?: object[] }[];
}

describe("static-export-service: agent workers", function () {
    this.timeout(120_000);

    it("receive the command with its dollar signs, which Kubernetes replaces unless they are doubled", async () => {
        const { container } = await renderAgents({ command: ["/bin/sh", "-c", "agent $$ $(HOME) $1"] });
        const argument = container.args.find((arg) => arg.startsWith("--agent-command="));
        assert.equal(argument, '--agent-command=["/bin/sh","-c","agent $$$$ $$(HOME) $$1"]');
    });

    it("receive the command as separate words, and the projects that the API accepts", async () => {
        const { container } = await renderAgents();
        const projects = [
            "--agent-project=api=ssh://git@git.example.com/acme/api.git",
            "--agent-project=docs=https://git.example.com/acme/docs#main",
        ];
        assert.deepEqual(container.args, [
            "work",
            "--concurrency=2",
            "--data-dir=/var/lib/static-export",
            // Pull requests link to the dashboard.
            "--public-url=https://docs-admin.example.net",
            ...projects,
            `--agent-command=${JSON.stringify(agents.command)}`,
            "--pods=/etc/static-export-pods/pods.yaml",
            "--pods-listen=[::]:8790",
            "--health=[::]:9090",
            "--log-format=json",
        ]);
        const api = podsOf(await renderService({ ...required, agents })).get(`${serviceName}-api`)?.containers[0];
        assert.deepEqual(
            api?.args.filter((arg) => arg.startsWith("--agent")),
            projects,
        );
    });

    it("have no access to sites, the bucket or the admin key", async () => {
        const { pod, container } = await renderAgents(
            {},
            {
                extraEnv: [{ name: "DOCS_GIT_TOKEN", value: "glpat-1" }],
                extraArgs: ["--strict"],
                extraVolumes: [{ name: "sites", emptyDir: {} }],
                extraVolumeMounts: [{ name: "sites", mountPath: "/sites" }],
                serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/exports" } },
            },
        );
        assert.deepEqual(
            container.env.map(({ name }) => name),
            ["POD_NAME", "HOME", "STATIC_EXPORT_DATABASE_URL"],
        );
        assert.deepEqual(
            pod.volumes.map(({ name }) => name),
            ["pods", "data", "tmp"],
        );
        assert.equal(container.volumeMounts.length, 3);
        assert.equal(pod.serviceAccountName, `${serviceName}-agents`);
    });

    it("read model and forge keys from Secrets, and pass only model keys to agents", async () => {
        const { container } = await renderAgents({
            secretEnv: { MODEL_API_KEY: { name: "agents", key: "model" } },
            forge: { api: "gitlab=https://git.example.com/api/v4", existingSecret: "agents" },
        });
        const secrets = container.env.flatMap(({ name, valueFrom }) =>
            valueFrom?.secretKeyRef === undefined
                ? []
                : [`${name} ${valueFrom.secretKeyRef.name} ${valueFrom.secretKeyRef.key}`],
        );
        assert.deepEqual(secrets.slice(1), [
            "MODEL_API_KEY agents model",
            "STATIC_EXPORT_FORGE_TOKEN agents forge-token",
        ]);
        assert.deepEqual(
            container.args.filter((arg) => /^--agent-(env|forge)/.test(arg)),
            [
                "--agent-env=MODEL_API_KEY",
                "--agent-forge=gitlab=https://git.example.com/api/v4",
                "--agent-forge-token-env=STATIC_EXPORT_FORGE_TOKEN",
            ],
        );
    });

    it("receive the author, the message and the signing key of commits, which agents do not get", async () => {
        const message = 'docs: {job}\n\nSigned-off-by: "Bot" <bot@example.com>';
        const signingKey = { existingSecret: "agents", key: "ssh" };
        const { pod, container } = await renderAgents({
            commits: { name: "$Bot", email: "bot@example.com", message, signingKey },
        });
        assert.deepEqual(
            container.args.filter((arg) => /^--agent-(?:commit|signing)/.test(arg)),
            [
                "--agent-commit-name=$$Bot",
                "--agent-commit-email=bot@example.com",
                `--agent-commit-message=${message}`,
                "--agent-signing-key=/etc/static-export-signing/key",
            ],
        );
        assert.deepEqual(
            pod.volumes.find(({ name }) => name === "signing-key"),
            {
                name: "signing-key",
                secret: { secretName: "agents", defaultMode: 0o400, items: [{ key: "ssh", path: "key" }] },
            },
        );
        const mount = container.volumeMounts.find(({ name }) => name === "signing-key");
        assert.equal(mount?.mountPath, "/etc/static-export-signing");
    });

    for (const kind of forgeKinds) {
        it(`accept the API of each forge: ${kind}`, async () => {
            const api = `${kind}=https://git.example.com:8443/api`;
            const values = { ...required, agents: { ...agents, forge: { api, existingSecret: "agents" } } };
            const manifests = await renderService({ ...values, networkPolicy: { enabled: true } });
            const policies = [...manifests.values()].filter(({ kind: each }) => each === "NetworkPolicy");
            assert.match(JSON.stringify(policies), /"port":8443/);
        });
    }

    it("store logs in the bucket if configured, with separate credentials", async () => {
        const { container } = await renderAgents(
            { logs: { enabled: true, existingSecret: "agent-logs" } },
            { bucket: { ...bucket, endpoint: "http://s3:9000", publicEndpoint: "https://s3.example.com" } },
        );
        assert.deepEqual(
            container.args.filter((arg) => arg.startsWith("--bucket")),
            ["--bucket=s3://docs-bundles/exports", "--bucket-endpoint=http://s3:9000"],
        );
        assert.deepEqual(
            container.env
                .filter(({ name }) => name.startsWith("AWS"))
                .map((each) => each.valueFrom?.secretKeyRef?.name),
            [undefined, "agent-logs", "agent-logs"],
        );
    });

    it("use the chart's image, and have no more permissions than other pods", async () => {
        const { pod, container } = await renderAgents({ pods: { hostUsers: false, runtimeClassName: "gvisor" } });
        assert.match(container.image, /^registry\.example\.com\/static-export:/);
        assert.deepEqual(container.securityContext, restricted);
        assert.ok(!("hostUsers" in pod || "runtimeClassName" in pod || "shareProcessNamespace" in pod));
    });

    const refused: [string, object, RegExp][] = [
        ["without a command", { command: [] }, /agents\/command.*minItems/],
        ["for a project at no address", { projects: { docs: "acme/docs" } }, /agents\/projects.*pattern/],
        ["with a forge that nobody signs in to", { forge: { api: "github=https://api.github.com" } }, /existingSecret/],
        ["with a key that is a value", { secretEnv: { MODEL_API_KEY: "sk-1" } }, /secretEnv\/MODEL_API_KEY/],
    ];
    for (const [what, values, says] of refused) {
        it(`are refused ${what}`, async () => {
            assert.match(await refusal({ ...required, agents: { ...agents, ...values } }, serviceChartFolder), says);
        });
    }
});

describe("static-export-service: agents", function () {
    this.timeout(120_000);
    const render = (pods: object = {}, values: object = {}) =>
        renderService({ ...required, bucket, agents: { ...agents, ...values, pods } });

    it("run as Jobs of their workers, which may only create and delete Jobs and read pods", async () => {
        const manifests = await render();
        const worker = podsOf(manifests).get(`${serviceName}-agent-worker`);
        assert.equal(worker?.automountServiceAccountToken, true);
        const { rules } = manifests.get(`Role/${serviceName}-agents`) as unknown as { rules: object[] };
        assert.deepEqual(rules, [
            { apiGroups: ["batch"], resources: ["jobs"], verbs: ["create", "get", "list", "delete"] },
            { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] },
            { apiGroups: [""], resources: ["pods/log"], verbs: ["get"] },
        ]);
        const { subjects } = manifests.get(`RoleBinding/${serviceName}-agents`) as unknown as {
            subjects: { name: string }[];
        };
        assert.deepEqual(
            subjects.map(({ name }) => name),
            [`${serviceName}-agents`],
        );
        assert.ok(![...manifests.keys()].some((name) => name.endsWith("-builds")));
    });

    it("have their own image, and neither a privilege nor credentials of the worker", async () => {
        const manifests = await render(
            {
                image: { repository: "registry.example.com/agents", tag: "7" },
                extraEnv: [{ name: "HTTPS_PROXY", value: "http://proxy" }],
                ...{ runtimeClassName: "gvisor", hostUsers: false },
            },
            {
                secretEnv: { MODEL_API_KEY: { name: "agents", key: "model" } },
                forge: { api: "gitlab=https://git.example.com/api/v4", existingSecret: "forge" },
                extraEnv: [{ name: "SSH_AUTH_SOCK", value: "/ssh" }],
                extraVolumes: [{ name: "ssh", emptyDir: {} }],
            },
        );
        const { data } = manifests.get(`ConfigMap/${serviceName}-agents`) as unknown as {
            data: Record<string, string>;
        };
        const text = String(data["pods.yaml"]);
        assert.doesNotMatch(text, /SSH|ssh|DATABASE|AWS_|forge/);
        await withFolder(async (folder) => {
            const file = join(folder, "pods.yaml");
            await writeFile(file, text);
            const { image, transferImage, secretEnv, containers, main, metadata, pod } = readPodSettings(file);
            assert.equal(image, "registry.example.com/agents:7");
            assert.match(transferImage, /^registry\.example\.com\/static-export:/);
            assert.deepEqual(secretEnv, { MODEL_API_KEY: { name: "agents", key: "model" } });
            assert.deepEqual(containers["securityContext"], restricted);
            assert.deepEqual(main["resources"], {
                requests: { cpu: "500m", memory: "512Mi" },
                limits: { memory: "4Gi" },
            });
            assert.deepEqual(main["env"], [{ name: "HTTPS_PROXY", value: "http://proxy" }]);
            const labels = metadata["labels"] as Record<string, string>;
            assert.equal(labels["app.kubernetes.io/component"], "agents");
            assert.deepEqual(
                [pod["runtimeClassName"], pod["hostUsers"], pod["serviceAccountName"]],
                ["gvisor", false, "default"],
            );
            const { seccompProfile } = pod["securityContext"] as { seccompProfile: object };
            assert.deepEqual(seccompProfile, { type: "RuntimeDefault" });
        });
    });

    it("reach DNS, their workers and public addresses only, and no policy of other pods applies to them", async () => {
        const manifests = await render();
        const policy = manifests.get(`NetworkPolicy/${serviceName}-agents`)?.spec as Policy;
        assert.equal(policy.podSelector.matchLabels["app.kubernetes.io/component"], "agents");
        assert.equal(policy.ingress, undefined);
        const [, workers, open, ...rest] = policy.egress;
        assert.deepEqual(rest, []);
        assert.deepEqual(workers?.ports[0]?.port, 8790);
        assert.match(JSON.stringify(workers?.to), /"agent-worker"/);
        assert.deepEqual(open?.ports, [{ protocol: "TCP", port: 443 }]);
        assert.match(JSON.stringify(open?.to), /"169\.254\.0\.0\/16"/);
        const worker = manifests.get(`NetworkPolicy/${serviceName}-agent-worker`)?.spec as Policy;
        assert.equal(worker.podSelector.matchLabels["app.kubernetes.io/component"], "agent-worker");
        assert.match(JSON.stringify(worker.ingress), /"agents"/);
        assert.ok(!(await render({ networkPolicy: { enabled: false } })).has(`NetworkPolicy/${serviceName}-agents`));
        assert.ok(!(await renderService(required)).has(`NetworkPolicy/${serviceName}-agents`));
    });
});
