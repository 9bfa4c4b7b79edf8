import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { serveCommand } from "../../../cli/src/commands/service/serve-command.js";
import { workCommand } from "../../../cli/src/commands/service/work-command.js";
import { type Manifest, refusal, serviceChartFolder } from "../support/render-chart.js";
import { podsOf, renderService, required, serviceName as name } from "../support/service-pods.js";

const everything = {
    ...required,
    bucket: {
        ...required.bucket,
        endpoint: "http://s3:9000",
        publicEndpoint: "https://s3.example.com",
        existingSecret: "s3",
    },
    api: { autoscaling: { enabled: true } },
    ingress: { enabled: true, className: "nginx", tlsSecret: "docs-admin-tls" },
    httpRoute: { enabled: true, parentRefs: [{ name: "public" }] },
    worker: { autoscaling: { enabled: true }, concurrency: 3 },
    serviceMonitor: { enabled: true },
    prometheusRule: { enabled: true },
    extraVolumes: [{ name: "sites", emptyDir: {} }],
    extraVolumeMounts: [{ name: "sites", mountPath: "/sites", readOnly: true }],
    extraArgs: ["--strict"],
    previewDomains: { "docs.example.com": "previews.example.com" },
    webhook: { existingSecret: "forge" },
    pages: {
        oidc: {
            issuer: "https://login.example.com",
            clientId: "docs",
            existingSecret: "sign-in",
            groups: { docs: { scopes: ["read"] } },
        },
    },
    agents: {
        projects: { docs: "https://git.example.com/acme/docs#main" },
        command: ["/usr/bin/claude", "--print"],
        secretEnv: { MODEL_API_KEY: { name: "agents", key: "model" } },
        forge: { api: "gitlab=https://git.example.com/api/v4", existingSecret: "agents" },
        extraArgs: ["--agent-time-limit-seconds=600"],
    },
};

/** Returns the list of sites that the pods read. */
const siteList = (manifests: Map<string, Manifest>): string =>
    (manifests.get(`ConfigMap/${name}-sites`)?.["data"] as { sites: string }).sites;

describe("static-export-service: the rendered chart", function () {
    this.timeout(120_000);

    it("contains the API, the workers and the migration, and only kinds that every cluster supports", async () => {
        assert.deepEqual([...(await renderService(required)).keys()].sort(), [
            `ConfigMap/${name}-sites`,
            `Deployment/${name}-api`,
            `Deployment/${name}-worker`,
            `Job/${name}-migrate`,
            `NetworkPolicy/${name}`,
            `NetworkPolicy/${name}-migrate`,
            `PodDisruptionBudget/${name}-api`,
            `Service/${name}-api`,
            `ServiceAccount/${name}`,
        ]);
    });

    it("contains optional parts if they are configured", async () => {
        const usual = await renderService(required);
        const more = [...(await renderService(everything)).keys()].filter((key) => !usual.has(key));
        assert.deepEqual(more.sort(), [
            `ConfigMap/${name}-agents`,
            `ConfigMap/${name}-sign-in-groups`,
            `Deployment/${name}-agent-worker`,
            `HTTPRoute/${name}-api`,
            `HorizontalPodAutoscaler/${name}-api`,
            `Ingress/${name}-api`,
            `NetworkPolicy/${name}-agent-worker`,
            `NetworkPolicy/${name}-agents`,
            `PrometheusRule/${name}`,
            `Role/${name}-agents`,
            `RoleBinding/${name}-agents`,
            `ScaledObject/${name}-worker`,
            `Service/${name}-metrics`,
            `ServiceAccount/${name}-agents`,
            `ServiceMonitor/${name}-metrics`,
        ]);
    });

    it("passes the webhook secret and the preview domains only to the API, and only if they are set", async () => {
        const given = (pods: ReturnType<typeof podsOf>) =>
            [...pods].flatMap(([pod, { containers }]) =>
                (containers[0]?.args ?? []).filter((arg) => /webhook|preview/.test(arg)).map((arg) => [pod, arg]),
            );
        assert.deepEqual(given(podsOf(await renderService(required))), []);
        const pods = podsOf(await renderService(everything));
        const [[pod = ""] = []] = given(pods);
        assert.match(pod, /-api$/);
        assert.deepEqual(given(pods), [
            [pod, "--preview-domain=docs.example.com=previews.example.com"],
            [pod, "--webhook-secret-file=/etc/static-export-webhook/webhook-secret"],
        ]);
        assert.match(JSON.stringify(new Map(pods).get(pod)), /"secretName":"forge"/);
    });

    it("lets the API trust proxies in private networks by default, or only those in the values", async () => {
        const given = async (values: object) =>
            [...podsOf(await renderService({ ...everything, ...values }))].flatMap(([pod, { containers }]) =>
                (containers[0]?.args ?? []).filter((arg) => /^--trusted/.test(arg)).map((arg) => [pod, arg]),
            );
        const usual = await given({});
        assert.ok(usual.every(([pod]) => pod === `${name}-api`));
        for (const network of ["127.0.0.0/8", "10.0.0.0/8", "fc00::/7"]) {
            assert.ok(usual.some(([, arg]) => arg === `--trusted-proxy=${network}`));
        }
        assert.deepEqual(await given({ trustedProxies: ["::ffff:10.1.2.3"] }), [
            [`${name}-api`, "--trusted-proxy=::ffff:10.1.2.3"],
        ]);
        assert.deepEqual(await given({ trustedProxies: [] }), []);
    });

    it("passes the identity provider only to the API, with the client's secret as a file", async () => {
        const manifests = await renderService(everything);
        const groups = manifests.get(`ConfigMap/${name}-sign-in-groups`) as
            | { data: Record<string, string> }
            | undefined;
        assert.deepEqual(JSON.parse(groups?.data["groups.json"] ?? ""), everything.pages.oidc.groups);
        const given = [...podsOf(manifests)].filter(([, pod]) => /oidc|sign-in/.test(JSON.stringify(pod)));
        assert.deepEqual(
            given.map(([pod]) => pod),
            [`${name}-api`],
        );
        assert.match(JSON.stringify(given), /"--oidc-client-secret-file=\/etc\/static-export-oidc\/client-secret"/);
        assert.match(JSON.stringify(given), /"secretName":"sign-in"/);
        const incomplete = { ...required, pages: { oidc: { issuer: "https://login.example.com" } } };
        await assert.rejects(renderService(incomplete), /pages\.oidc\.issuer needs pages\.oidc\.clientId/);
    });

    it("refuses a path in publicUrl that neither its Ingress nor its HTTPRoute removes", async () => {
        const withPath = { ...required, publicUrl: "https://example.com/docs-admin" };
        for (const route of [
            { ingress: { enabled: true } },
            { httpRoute: { enabled: true, parentRefs: [{ name: "a" }] } },
        ]) {
            await assert.rejects(renderService({ ...withPath, ...route }), /publicUrl has the path "\/docs-admin"/);
            await renderService({ ...required, publicUrl: "https://example.com/", ...route });
        }
        await renderService(withPath);
    });

    it("passes only options that the command accepts", async () => {
        const declared = { serve: serveCommand, work: workCommand };
        for (const [pod, { containers }] of podsOf(await renderService(everything))) {
            const [command = "", ...args] = containers[0]?.args ?? [];
            if (command === "migrate") {
                assert.deepEqual(args, []);
                continue;
            }
            const known = declared[command as keyof typeof declared].options?.map(({ long }) => long) ?? [];
            const unknown = args.map((arg) => arg.split("=", 1)[0]).filter((option) => !known.includes(option));
            assert.deepEqual(unknown, [], pod);
        }
    });

    it("lists a site that is in a git repository", async () => {
        const sites = { "docs.example.com": "git+https://git.example.com/acme/docs.git#main:guides" };
        const manifests = await renderService({ ...required, sites });
        assert.equal(siteList(manifests), `docs.example.com=${sites["docs.example.com"]}\n`);
    });

    it("restarts no pod for a new site, because API and worker pods all read the list of sites", async () => {
        const [few, many] = [
            await renderService(required),
            await renderService({ ...required, sites: { ...required.sites, "new.example.com": "/sites/new" } }),
        ];
        assert.match(siteList(many), /^new\.example\.com=\/sites\/new$/m);
        for (const pod of ["api", "worker"]) {
            const before = podsOf(few).get(`${name}-${pod}`);
            assert.deepEqual(podsOf(many).get(`${name}-${pod}`), before);
            assert.ok(before?.containers[0]?.volumeMounts.some(({ name: volume }) => volume === "site-list"));
        }
    });

    it("lets a terminating API pod answer requests until all nodes have noticed its termination", async () => {
        const api = podsOf(await renderService(required)).get(`${name}-api`);
        assert.ok(api?.containers[0]?.args.includes("--grace-seconds=5"));
    });

    it("sets the time limit for ending a worker's exports to the pod's grace period minus 15 seconds", async () => {
        for (const [terminationGracePeriodSeconds, grace] of [
            [900, 885],
            [10, 0],
        ]) {
            const pods = podsOf(await renderService({ ...required, worker: { terminationGracePeriodSeconds } }));
            assert.ok(pods.get(`${name}-worker`)?.containers[0]?.args?.includes(`--grace-seconds=${grace}`));
        }
    });

    it("configures the same sites and bucket for the API and the workers", async () => {
        const pods = podsOf(await renderService(everything));
        const shared = (pod: string) =>
            pods.get(pod)?.containers[0]?.args.filter((arg) => /^--(site|bucket|strict)/.test(arg));
        assert.deepEqual(shared(`${name}-api`), [
            "--sites-file=/etc/static-export-sites/sites",
            "--bucket=s3://docs-bundles/exports",
            "--bucket-endpoint=http://s3:9000",
            "--bucket-public-endpoint=https://s3.example.com",
            "--strict",
        ]);
        assert.deepEqual(shared(`${name}-worker`), shared(`${name}-api`));
    });

    it("reads secrets from existing Secrets, never from values or arguments", async () => {
        const pods = podsOf(await renderService(everything));
        const from = (pod: string) =>
            pods
                .get(pod)
                ?.containers[0]?.env.flatMap(({ name: variable, valueFrom }) =>
                    valueFrom?.secretKeyRef === undefined
                        ? []
                        : [`${variable} ${valueFrom.secretKeyRef.name} ${valueFrom.secretKeyRef.key}`],
                );
        const database = "STATIC_EXPORT_DATABASE_URL exports database-url";
        const bucket = ["AWS_ACCESS_KEY_ID s3 access-key-id", "AWS_SECRET_ACCESS_KEY s3 secret-access-key"];
        assert.deepEqual(from(`${name}-api`), [database, ...bucket]);
        assert.deepEqual(from(`${name}-worker`), [database, ...bucket]);
        assert.deepEqual(from(`${name}-migrate`), [database]);
    });

    it("mounts the admin key only in the API, as a file that only the pod's group can read", async () => {
        const pods = podsOf(await renderService(required));
        const withKey = [...pods].filter(([, { volumes }]) => volumes.some(({ secret }) => secret !== undefined));
        assert.deepEqual(
            withKey.map(([pod, { volumes }]) => [pod, volumes.find(({ secret }) => secret)?.secret?.defaultMode]),
            [[`${name}-api`, 0o440]],
        );
    });

    it("uses the service account's credentials if no Secret is set", async () => {
        const manifests = await renderService({
            ...required,
            serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/exports" } },
        });
        const account = manifests.get(`ServiceAccount/${name}`)?.metadata;
        assert.deepEqual(account?.annotations, { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/exports" });
        const [worker] = podsOf(manifests).get(`${name}-worker`)?.containers ?? [];
        assert.ok(!worker?.env.some((variable) => variable.name === "AWS_ACCESS_KEY_ID"));
    });

    it("runs containers without root and capabilities, on a read-only root; only workers of agents have a token", async () => {
        const pods = podsOf(await renderService(everything));
        assert.equal(pods.size, 4);
        for (const [own, pod] of pods) {
            // Only this worker creates Jobs.
            assert.equal(pod.automountServiceAccountToken, own === `${name}-agent-worker`, own);
            assert.equal(pod.securityContext["runAsNonRoot"], true);
            assert.deepEqual(pod.securityContext["seccompProfile"], { type: "RuntimeDefault" });
            for (const container of pod.containers) {
                const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext;
                assert.deepEqual(
                    [allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities],
                    [false, true, { drop: ["ALL"] }],
                );
                assert.ok(container.resources.limits, `${container.name} has no limits`);
            }
        }
    });

    it("scales workers by running and queued jobs, and by the number of concurrent jobs per pod", async () => {
        const manifests = await renderService(everything);
        const { triggers } = manifests.get(`ScaledObject/${name}-worker`)?.["spec"] as {
            triggers: { metadata: Record<string, string> }[];
        };
        assert.deepEqual(triggers[0]?.metadata, {
            connectionFromEnv: "STATIC_EXPORT_DATABASE_URL",
            query: "SELECT count(*) FROM static_export_jobs WHERE status IN ('queued', 'running')",
            targetQueryValue: "3",
        });
        const worker = manifests.get(`Deployment/${name}-worker`)?.["spec"] as { replicas?: number };
        assert.equal(worker.replicas, undefined);
    });

    it("routes the host of publicUrl to the API through the configured Gateway", async () => {
        const filters = [{ type: "RequestHeaderModifier", requestHeaderModifier: { remove: ["x-debug"] } }];
        const values = { ...everything, httpRoute: { ...everything.httpRoute, filters } };
        assert.deepEqual((await renderService(values)).get(`HTTPRoute/${name}-api`)?.["spec"], {
            parentRefs: [{ group: "gateway.networking.k8s.io", kind: "Gateway", name: "public" }],
            hostnames: ["docs-admin.example.net"],
            rules: [
                {
                    matches: [{ path: { type: "PathPrefix", value: "/" } }],
                    filters,
                    backendRefs: [{ group: "", kind: "Service", name: `${name}-api`, port: 80, weight: 1 }],
                },
            ],
        });
    });

    it("sends no requests to workers", async () => {
        const manifests = await renderService(required);
        const { selector } = manifests.get(`Service/${name}-api`)?.["spec"] as { selector: Record<string, string> };
        assert.equal(selector["app.kubernetes.io/component"], "api");
    });

    const refused: [string, object, RegExp][] = [
        ["without a database", { database: undefined }, /database/],
        ["without a site", { sites: {} }, /sites.*minProperties/s],
        ["with a site at a relative path", { sites: { "docs.example.com": "docs" } }, /sites.*pattern/s],
        ["with a bucket that is none", { bucket: { url: "docs-bundles" } }, /bucket\/url/],
        ["with an address of clients that is none", { publicUrl: "docs-admin.example.net" }, /publicUrl/],
        ["with alerts on metrics that nobody collects", { prometheusRule: { enabled: true } }, /needs serviceMonitor/],
        ["with a route that no Gateway admits", { httpRoute: { enabled: true } }, /httpRoute\/parentRefs.*minItems/],
        ["with a proxy's number above 255", { trustedProxies: ["999.0.0.0/8"] }, /trustedProxies\/0/],
        ["with a misspelt key", { buckets: {} }, /additional properties 'buckets' not allowed/],
    ];
    for (const [what, values, says] of refused) {
        it(`is refused ${what}`, async () => {
            assert.match(await refusal({ ...required, ...values }, serviceChartFolder), says);
        });
    }

    it("accepts the values shown in its README", async () => {
        const readme = await readFile(join(serviceChartFolder, "README.md"), "utf8");
        const [, shown = ""] = /^```yaml\n(.*?)^```$/ms.exec(readme) ?? [];
        assert.equal(siteList(await renderService(parse(shown) as object)), "docs.example.com=/sites/docs\n");
    });
});
