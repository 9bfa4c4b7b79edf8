import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { type Container, type Manifest, refusal, render } from "../support/render-chart.js";
import { sitesChart } from "./support/edge-fixture.js";

const name = "docs-documentation-sites";
const renderSites = (values: object = {}) => render({ bucket: { name: "docs" }, ...values }, sitesChart);
const refusalOf = (values: object) => refusal({ bucket: { name: "docs" }, ...values }, sitesChart);
const specOf = (manifest: Manifest | undefined) => manifest!.spec as Record<string, unknown>;
const podOf = (manifests: Map<string, Manifest>) =>
    (specOf(manifests.get(`Deployment/${name}`)).template as { spec: Record<string, unknown> }).spec;
const configOf = (manifests: Map<string, Manifest>) =>
    manifests.get(`ConfigMap/${name}`)!.data as Record<string, string>;
const settingsOf = (manifests: Map<string, Manifest>) =>
    JSON.parse(configOf(manifests)["settings.js"]!.replace("export default ", "").replace(";", "")) as object;

describe("documentation-sites: the rendered chart", function () {
    this.timeout(60_000);

    it("runs a few pods for all sites, without permissions, plain-text keys or a writable file system", async () => {
        const manifests = await renderSites({ bucket: { name: "docs", existingSecret: "keys" } });
        assert.deepEqual([...manifests.keys()].sort(), [
            `ConfigMap/${name}`,
            `Deployment/${name}`,
            `NetworkPolicy/${name}`,
            `PodDisruptionBudget/${name}`,
            `Service/${name}`,
            `ServiceAccount/${name}`,
        ]);
        const pod = podOf(manifests);
        const [nginx] = pod.containers as Container[];
        assert.equal(pod.automountServiceAccountToken, false);
        assert.deepEqual(nginx!.securityContext, {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
        });
        assert.deepEqual(
            nginx!.volumeMounts.filter(({ readOnly }) => readOnly !== true).map(({ mountPath }) => mountPath),
            ["/tmp", "/var/cache/documentation-sites"],
        );
        const volumes = pod.volumes as { name: string; secret?: object; emptyDir?: object }[];
        assert.deepEqual(volumes.find(({ secret }) => secret)!.secret, { secretName: "keys", defaultMode: 288 });
        assert.deepEqual(volumes.find((volume) => volume.name === "cache")!.emptyDir, { sizeLimit: "9280Mi" });
    });

    it("reads from Amazon S3 by default, resolves its name repeatedly, and verifies its certificate", async () => {
        const manifests = await renderSites({ bucket: { name: "docs", region: "eu-central-1" } });
        const { "nginx.conf": nginx = "" } = configOf(manifests);
        assert.match(nginx, /server docs\.s3\.eu-central-1\.amazonaws\.com:443 resolve;/);
        assert.match(nginx, /proxy_ssl_name docs\.s3\.eu-central-1\.amazonaws\.com;\s+proxy_ssl_verify on;/);
        assert.match(nginx, /include \/tmp\/resolver\.conf;/);
        assert.doesNotMatch(nginx, /Authorization/);
        assert.deepEqual(settingsOf(manifests), {
            base: "/",
            groupsVariable: "",
            host: "docs.s3.eu-central-1.amazonaws.com",
            prefix: "",
            region: "eu-central-1",
            separator: ",",
            signInUrl: "",
            userVariable: "",
        });
    });

    it("reads from other storage at its endpoint, and lets pods reach only DNS and the configured ports", async () => {
        const bucket = {
            ...{ name: "docs", prefix: "sites/", endpoint: "https://minio.storage.svc.cluster.local:9000/" },
            ...{ pathStyle: true, existingSecret: "keys", certificateAuthority: { configMap: "ca" } },
        };
        const manifests = await renderSites({ bucket, networkPolicy: { egressPorts: [9443] } });
        const { "nginx.conf": nginx = "" } = configOf(manifests);
        assert.match(nginx, /server minio\.storage\.svc\.cluster\.local:9000 resolve;/);
        assert.match(nginx, /proxy_set_header Host minio\.storage\.svc\.cluster\.local:9000;/);
        assert.match(nginx, /proxy_ssl_name minio\.storage\.svc\.cluster\.local;/);
        assert.match(nginx, /proxy_ssl_trusted_certificate \/etc\/documentation-sites-ca\/ca\.crt;/);
        assert.match(nginx, /proxy_set_header Authorization \$amz_authorization;/);
        const { base, host } = settingsOf(manifests) as Record<string, string>;
        assert.deepEqual([base, host], ["/docs/", "minio.storage.svc.cluster.local:9000"]);
        const egress = specOf(manifests.get(`NetworkPolicy/${name}`)).egress as { ports: { port: number }[] }[];
        assert.deepEqual(
            egress.flatMap(({ ports }) => ports.map(({ port }) => port)),
            [53, 53, 5353, 5353, 9000, 9443],
        );
    });

    it("rejects documentation-site values that it does not support, and suggests alternatives", async () => {
        assert.match(await refusalOf({ access: { oidc: { issuer: "https://id.example.com" } } }), /access\.header/);
        assert.match(await refusalOf({ answer: { enabled: true } }), /chart documentation-site\./);
    });

    it("rolls the pods only when the configuration changes", async () => {
        const pods = async (values: object) =>
            specOf((await renderSites(values)).get(`Deployment/${name}`)).template as Manifest;
        const before = await pods({});
        assert.deepEqual((await pods({ replicaCount: 5, commonLabels: { team: "docs" } })).spec, before.spec);
        assert.notDeepEqual((await pods({ nginx: { connectionsPerSite: 600 } })).spec, before.spec);
    });

    it("is refused if values contradict each other, are misspelt, or would inject configuration", async () => {
        const header = { groups: "X-Groups" };
        for (const [values, why] of [
            [{ access: { header } }, /networkPolicy\.ingressFrom/],
            [{ nginx: { drainSeconds: 15 } }, /nginx\.drainSeconds \(15\) must be greater/],
            [{ terminationGracePeriodSeconds: 20 }, /terminationGracePeriodSeconds \(20\) must be greater/],
            [{ autoscaling: { enabled: true, minReplicas: 13 } }, /autoscaling\.minReplicas \(13\)/],
            [{ buckets: {} }, /buckets/],
            [{ bucket: {} }, /name/],
            [{ bucket: { name: "docs", prefix: "sites" } }, /prefix/],
            [{ bucket: { name: "docs; root /" } }, /name/],
            [{ bucket: { name: "docs", endpoint: "https://a.example; x" } }, /endpoint/],
            [{ bucket: { name: "docs", region: "a; b" } }, /region/],
            [{ nginx: { contentSecurityPolicy: "a\nb" } }, /contentSecurityPolicy/],
            [{ access: { header: { groups: "X; y" } } }, /groups/],
            [{ access: { header: { ...header, signInUrl: "https://a.example/;\n}" } } }, /signInUrl/],
        ] as const) {
            assert.match(await refusalOf(values), why);
        }
    });

    it("contains every part that its values can enable", async () => {
        const values = parse(await readFile(path.join(sitesChart, "ci/everything-values.yaml"), "utf8")) as object;
        const kinds = [...(await render(values, sitesChart)).keys()].map((key) => key.split("/")[0]);
        for (const kind of ["HorizontalPodAutoscaler", "Ingress", "HTTPRoute", "NetworkPolicy"]) {
            assert.ok(kinds.includes(kind), kind);
        }
    });
});
