import assert from "node:assert/strict";
import { refusal, serviceChartFolder } from "../support/render-chart.js";
import { parseSitesFile } from "../../../service/src/roles/sites-file.js";
import { podsOf, renderService, required, serviceName } from "../support/service-pods.js";

const builds = { enabled: true, existingSecret: "builds" };
const bucket = { ...required.bucket, existingSecret: "s3" };
const render = (values: object = {}, rest: object = {}) =>
    renderService({ ...required, bucket, ...rest, builds: { ...builds, ...values } });

interface Policy {
    podSelector: { matchLabels: Record<string, string>; matchExpressions?: object[] };
    ingress: { ports: { port: number }[]; from?: { podSelector: { matchLabels: Record<string, string> } }[] }[];
    egress: {
        ports: { port: number }[];
        to?: { ipBlock?: { cidr: string; except: string[] }; podSelector?: object }[];
    }[];
}

describe("static-export-service: builds", function () {
    this.timeout(120_000);

    it("are off unless they are enabled, which needs a key", async () => {
        const manifests = await renderService(required);
        assert.ok(![...manifests.keys()].some((name) => name.includes("-builds")));
        assert.doesNotMatch(JSON.stringify([...manifests.values()]), /BUILDS|--builds/);
        assert.match(await refusal({ ...required, builds: { enabled: true } }, serviceChartFolder), /existingSecret/);
    });

    it("have neither a service account's token nor credentials, sites and options of the service", async () => {
        const manifests = await render(
            { secretEnv: { NPM_TOKEN: { name: "builds", key: "npm" } } },
            {
                extraEnv: [{ name: "DOCS_GIT_TOKEN", value: "glpat-1" }],
                extraArgs: ["--strict"],
                extraVolumes: [{ name: "sites", emptyDir: {} }],
                extraVolumeMounts: [{ name: "sites", mountPath: "/sites" }],
            },
        );
        const pod = podsOf(manifests).get(`${serviceName}-builds`);
        const container = pod?.containers[0];
        assert.ok(pod && container);
        assert.equal(pod.automountServiceAccountToken, false);
        assert.equal(pod.serviceAccountName, "default");
        assert.deepEqual(
            container.env.map(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef.key]),
            [
                ["HOME", undefined],
                ["STATIC_EXPORT_BUILDS_KEY", "builds-key"],
                ["NPM_TOKEN", "npm"],
            ],
        );
        assert.deepEqual(
            pod.volumes.map(({ name }) => name),
            ["data", "tmp"],
        );
        assert.deepEqual(container.args, [
            ...["work", "--builds", "--builds-listen=[::]:8790", "--builds-share-network", "--concurrency=2"],
            ...["--data-dir=/var/lib/static-export", "--health=[::]:9090", "--log-format=json"],
        ]);
    });

    it("get work from the workers, which have the same key", async () => {
        const pods = podsOf(await render());
        const worker = pods.get(`${serviceName}-worker`)?.containers[0];
        assert.ok(worker?.args.includes(`--builds-url=http://${serviceName}-builds:8790`));
        const key = worker?.env.find((each) => each.name === "STATIC_EXPORT_BUILDS_KEY");
        assert.deepEqual(key?.valueFrom?.secretKeyRef, { name: "builds", key: "builds-key" });
        assert.doesNotMatch(JSON.stringify(pods.get(`${serviceName}-api`)), /BUILDS|--builds/);
    });

    it("reach DNS and public addresses only, and no policy of other pods applies to them", async () => {
        const manifests = await render({}, { networkPolicy: { enabled: true } });
        const policy = manifests.get(`NetworkPolicy/${serviceName}-builds`)?.spec as Policy;
        assert.equal(policy.podSelector.matchLabels["app.kubernetes.io/component"], "builds");
        const [dns, open, ...rest] = policy.egress;
        assert.deepEqual(rest, []);
        assert.deepEqual([...new Set(dns?.ports.map(({ port }) => port))], [53, 5353]);
        const block = open?.to?.[0]?.ipBlock;
        assert.equal(block?.cidr, "0.0.0.0/0");
        for (const network of ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"]) {
            assert.ok(block?.except.includes(network), network);
        }
        const from = policy.ingress[0]?.from?.[0]?.podSelector.matchLabels;
        assert.equal(from?.["app.kubernetes.io/component"], "worker");
        const other = manifests.get(`NetworkPolicy/${serviceName}`)?.spec as Policy;
        assert.deepEqual(other.podSelector.matchExpressions, [
            { key: "app.kubernetes.io/component", operator: "NotIn", values: ["builds"] },
        ]);
        assert.ok(other.egress.some(({ ports }) => ports[0]?.port === 8790));
        assert.ok(!(await render({ networkPolicy: { enabled: false } })).has(`NetworkPolicy/${serviceName}-builds`));
    });

    it("are allowed by entries of sites", async () => {
        const source = "git+https://git.example.com/acme/docs.git#main";
        const sites = { "docs.example.com": { source, build: { install: true } }, "api.example.com": "/sites/api" };
        const manifests = await render({}, { sites });
        const { data } = manifests.get(`ConfigMap/${serviceName}-sites`) as unknown as { data: { sites: string } };
        assert.deepEqual(
            parseSitesFile(data.sites, "sites").map(({ address, source: place, build }) => [address, place, build]),
            [
                ["api.example.com", "/sites/api", undefined],
                ["docs.example.com", source, { install: true }],
            ],
        );
    });
});
