import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readPodSettings } from "../../../service/src/pods/pod-settings.js";
import { parseSitesFile } from "../../../service/src/roles/sites-file.js";
import { withFolder } from "../../sdk/support/files.js";
import { refusal, serviceChartFolder } from "../support/render-chart.js";
import { optionalPods, podsOf, renderService, required, serviceName } from "../support/service-pods.js";

const builds = { enabled: true };
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

    it("are off unless they are enabled", async () => {
        const manifests = await renderService(required);
        assert.ok(![...manifests.keys()].some((name) => name.includes("-builds")));
        assert.doesNotMatch(JSON.stringify([...manifests.values()]), /--pods/);
        const worker = podsOf(manifests).get(`${serviceName}-worker`);
        assert.equal(worker?.automountServiceAccountToken, false);
    });

    it("run as Jobs of the workers, which may only create and delete Jobs and read pods", async () => {
        const manifests = await render({ secretEnv: { NPM_TOKEN: { name: "builds", key: "npm" } } });
        const pods = podsOf(manifests);
        const [api, worker] = ["api", "worker"].map((each) => pods.get(`${serviceName}-${each}`));
        assert.deepEqual([api?.automountServiceAccountToken, worker?.automountServiceAccountToken], [false, true]);
        assert.ok(worker?.containers[0]?.args.includes("--pods=/etc/static-export-pods/pods.yaml"));
        const { rules } = manifests.get(`Role/${serviceName}-builds`) as unknown as { rules: object[] };
        assert.deepEqual(rules, [
            { apiGroups: ["batch"], resources: ["jobs"], verbs: ["create", "get", "list", "delete"] },
            { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] },
            { apiGroups: [""], resources: ["pods/log"], verbs: ["get"] },
        ]);
    });

    it("are refused without an account of their own, because all pods of the namespace would get its permissions", async () => {
        const fail = (values: object) => refusal({ ...required, bucket, ...values }, serviceChartFolder);
        const own = { create: false };
        for (const serviceAccount of [own, { ...own, name: "default" }]) {
            assert.match(await fail({ builds, serviceAccount }), /^(?!.*agents\.)[^]*serviceAccount\.name must name/);
        }
        const agents = {
            command: ["agent"],
            projects: { docs: "https://git.example.com/docs#main" },
            serviceAccount: own,
        };
        assert.match(await fail({ agents }), /agents\.serviceAccount\.name must name an account of the workers/);
        const manifests = await render({}, { serviceAccount: { ...own, name: "builder" } });
        const { subjects } = manifests.get(`RoleBinding/${serviceName}-builds`) as unknown as { subjects: object[] };
        assert.deepEqual(subjects, [{ kind: "ServiceAccount", name: "builder", namespace: "default" }]);
    });

    it("have neither a privilege nor credentials, sites and options of the service", async () => {
        const manifests = await render(
            { secretEnv: { NPM_TOKEN: { name: "builds", key: "npm" } }, runtimeClassName: "gvisor" },
            {
                extraEnv: [{ name: "DOCS_GIT_TOKEN", value: "glpat-1" }],
                extraVolumes: [{ name: "sites", emptyDir: {} }],
                extraVolumeMounts: [{ name: "sites", mountPath: "/sites" }],
            },
        );
        const { data } = manifests.get(`ConfigMap/${serviceName}-builds`) as unknown as {
            data: Record<string, string>;
        };
        const text = String(data["pods.yaml"]);
        assert.doesNotMatch(text, /DOCS_GIT_TOKEN|\/sites|DATABASE|AWS_/);
        await withFolder(async (folder) => {
            const file = join(folder, "pods.yaml");
            await writeFile(file, text);
            const { secretEnv, containers, main, metadata, pod } = readPodSettings(file);
            assert.deepEqual(secretEnv, { NPM_TOKEN: { name: "builds", key: "npm" } });
            assert.deepEqual(containers["securityContext"], {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ["ALL"] },
                readOnlyRootFilesystem: true,
            });
            assert.deepEqual(main["resources"], { requests: { cpu: "500m" } });
            const labels = metadata["labels"] as Record<string, string>;
            assert.equal(labels["app.kubernetes.io/component"], "builds");
            assert.deepEqual([pod["runtimeClassName"], pod["serviceAccountName"]], ["gvisor", "default"]);
            const { seccompProfile } = pod["securityContext"] as { seccompProfile: object };
            assert.deepEqual(seccompProfile, { type: "RuntimeDefault" });
        });
    });

    it("keep their ended Jobs for at least a minute", async () => {
        await assert.rejects(render({ ttlSecondsAfterFinished: 59 }), /builds\/ttlSecondsAfterFinished/);
        const manifests = await render({ ttlSecondsAfterFinished: 60 });
        const { data } = manifests.get(`ConfigMap/${serviceName}-builds`) as unknown as {
            data: Record<string, string>;
        };
        await withFolder(async (folder) => {
            const file = join(folder, "pods.yaml");
            await writeFile(file, String(data["pods.yaml"]));
            assert.equal(readPodSettings(file).ttlSecondsAfterFinished, 60);
            await writeFile(file, String(data["pods.yaml"]).replace(": 60", ": 59"));
            assert.throws(() => readPodSettings(file), /ttlSecondsAfterFinished must be a whole number from 60\.$/);
        });
    });

    it("reach DNS, the workers and public addresses only, and no policy of other pods applies to them", async () => {
        const manifests = await render();
        const policy = manifests.get(`NetworkPolicy/${serviceName}-builds`)?.spec as Policy;
        assert.equal(policy.podSelector.matchLabels["app.kubernetes.io/component"], "builds");
        assert.equal(policy.ingress, undefined);
        const [dns, workers, open, ...rest] = policy.egress;
        assert.deepEqual(rest, []);
        assert.deepEqual([...new Set(dns?.ports.map(({ port }) => port))], [53, 5353]);
        assert.deepEqual([workers?.ports[0]?.port, workers?.to?.length], [8790, 1]);
        const [ipv4, ipv6] = open?.to?.map(({ ipBlock }) => ipBlock) ?? [];
        assert.deepEqual([ipv4?.cidr, ipv6?.cidr], ["0.0.0.0/0", "::/0"]);
        for (const network of ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"]) {
            assert.ok(ipv4?.except.includes(network), network);
        }
        for (const network of ["fc00::/7", "fe80::/10", "64:ff9b::/96"]) {
            assert.ok(ipv6?.except.includes(network), network);
        }
        const other = manifests.get(`NetworkPolicy/${serviceName}`)?.spec as Policy;
        assert.deepEqual(other.podSelector.matchExpressions, [
            { key: "app.kubernetes.io/component", operator: "NotIn", values: ["builds", "agents"] },
        ]);
        assert.ok(!(await render({ networkPolicy: { enabled: false } })).has(`NetworkPolicy/${serviceName}-builds`));
    });

    it("open the API of Kubernetes and the port of builds for the workers only, not for the other pods", async () => {
        const manifests = await render({}, { networkPolicy: { apiPorts: [16443] } });
        const worker = manifests.get(`NetworkPolicy/${serviceName}-worker`)?.spec as Policy;
        const other = manifests.get(`NetworkPolicy/${serviceName}`)?.spec as Policy;
        assert.equal(worker.podSelector.matchLabels["app.kubernetes.io/component"], "worker");
        const [ingress, ...rest] = worker.ingress;
        assert.deepEqual([ingress?.ports[0]?.port, ingress?.from?.length, rest], [8790, 1, []]);
        assert.equal(ingress?.from?.[0]?.podSelector.matchLabels["app.kubernetes.io/component"], "builds");
        assert.deepEqual(worker.egress, [{ ports: [{ protocol: "TCP", port: 16443 }] }]);
        assert.doesNotMatch(JSON.stringify(other), /16443|8790/);
        for (const name of [`NetworkPolicy/${serviceName}`, `NetworkPolicy/${serviceName}-worker`]) {
            assert.ok(!(await render({}, { networkPolicy: { enabled: false } })).has(name), name);
        }
        assert.ok(!(await renderService(required)).has(`NetworkPolicy/${serviceName}-worker`));
    });

    it("are refused with a variable of a Secret whose name is also in extraEnv", async () => {
        const secretEnv = { NPM_TOKEN: { name: "builds", key: "npm" } };
        await assert.rejects(render({ secretEnv }, { extraEnv: [{ name: "NPM_TOKEN", value: "1" }] }), /NPM_TOKEN/);
    });

    it("are refused if Kubernetes would refuse their pods, also those of agents", async () => {
        const optional = { ...required, bucket, ...optionalPods };
        for (const [values, says] of [
            [{ extraVolumeMounts: [{ name: "npmrc", mountPath: "/etc/npmrc" }] }, /mounts the volume npmrc/],
            [{ extraVolumes: [{ name: "tmp", emptyDir: {} }] }, /two volumes named tmp/],
            [{ resources: { requests: { memory: "9Gi" }, limits: { memory: "8Gi" } } }, /requests more memory/],
        ] as const) {
            assert.match(await refusal({ ...optional, builds: { ...builds, ...values } }, serviceChartFolder), says);
            const agents = { ...optionalPods.agents, pods: values };
            assert.match(await refusal({ ...optional, agents }, serviceChartFolder), says);
        }
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
