import assert from "node:assert/strict";
import { refusal, serviceChartFolder } from "../support/render-chart.js";
import { type Pod, podsOf, renderService, required, serviceName } from "../support/service-pods.js";

const agents = {
    projects: { docs: "https://git.example.com/acme/docs#main", api: "ssh://git@git.example.com/acme/api.git" },
    command: ["/usr/bin/claude", "--print", 'say "done"'],
    model: "claude",
};
const bucket = { ...required.bucket, existingSecret: "s3" };

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

describe("static-export-service: agent workers", function () {
    this.timeout(120_000);

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
            "--public-url=https://docs-admin.example.com",
            ...projects,
            `--agent-command=${JSON.stringify(agents.command)}`,
            "--agent-sandbox",
            "--health=[::]:9090",
            "--log-format=json",
        ]);
        const api = podsOf(await renderService({ ...required, agents })).get(`${serviceName}-api`)?.containers[0];
        assert.deepEqual(
            api?.args.filter((arg) => arg.startsWith("--agent")),
            [...projects, "--agent-model=claude"],
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
            ["HOME", "STATIC_EXPORT_DATABASE_URL"],
        );
        assert.deepEqual(
            pod.volumes.map(({ name }) => name),
            ["data", "tmp"],
        );
        assert.equal(container.volumeMounts.length, 2);
        assert.equal(pod.serviceAccountName, `${serviceName}-agents`);
    });

    it("read model and forge keys from Secrets, and pass only model keys to agents", async () => {
        const { container } = await renderAgents({
            secretEnv: { MODEL_API_KEY: { name: "agents", key: "model" } },
            forge: { api: "gitlab=https://git.example.com/api/v4", existingSecret: "agents" },
        });
        const secrets = container.env.flatMap(({ name, valueFrom }) =>
            valueFrom === undefined ? [] : [`${name} ${valueFrom.secretKeyRef.name} ${valueFrom.secretKeyRef.key}`],
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
            container.env.filter(({ name }) => name.startsWith("AWS")).map((each) => each.valueFrom?.secretKeyRef.name),
            [undefined, "agent-logs", "agent-logs"],
        );
    });

    it("leave the agents' orphaned processes to the pod's init process", async () => {
        assert.equal((await renderAgents()).pod.shareProcessNamespace, true);
    });

    it("use the chart's image unless a separate agent image is set", async () => {
        const own = await renderAgents();
        assert.match(own.container.image, /^registry\.example\.com\/static-export:/);
        const other = await renderAgents({ image: { repository: "registry.example.com/agents", tag: "7" } });
        assert.equal(other.container.image, "registry.example.com/agents:7");
    });

    it("receive the permissions that the sandbox needs, or without a sandbox only those of other pods", async () => {
        const strict = {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
        };
        const unconfined = { type: "Unconfined" };
        const { container } = await renderAgents();
        assert.deepEqual(container.securityContext, {
            ...strict,
            seccompProfile: unconfined,
            appArmorProfile: unconfined,
        });
        const trusted = await renderAgents({ sandbox: { enabled: false } });
        assert.deepEqual(trusted.container.securityContext, strict);
        assert.ok(!trusted.container.args.includes("--agent-sandbox"));
    });

    it("use a separate user namespace and runtime only if configured", async () => {
        const usual = await renderAgents();
        assert.ok(!("hostUsers" in usual.pod || "runtimeClassName" in usual.pod));
        const { pod } = await renderAgents({ hostUsers: false, runtimeClassName: "gvisor" });
        assert.deepEqual([pod.hostUsers, pod.runtimeClassName], [false, "gvisor"]);
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
