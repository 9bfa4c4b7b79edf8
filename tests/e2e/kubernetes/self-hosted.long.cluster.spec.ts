import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ensureKubernetesProvider } from "@pulumi-static-export/toolchain";
import { privateCertificate } from "../../charts/support/private-certificate.js";
import { bucket, credentials, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { GitServer } from "../../service/support/git-server.js";
import { postgresPrograms, PostgresServer } from "../../service/support/postgres.js";
import { packPackages } from "../packages/support/packed-packages.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey } from "../support/platform.js";
import { Forwarder } from "./support/forwarder.js";
import { httpRouteDefinition } from "./support/gateway-api.js";
import { loadServiceImage, serviceImage } from "./support/installed-service/service-image.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { clusterValues } from "./support/site-stack.js";

const serviceName = "docs-service-static-export-service-api";
/**
 * A route through a Gateway that the cluster does not have: the API server checks the route, and a proxy on this
 * machine replaces the Gateway.
 */
const httpRoute = { enabled: true, parentRefs: [{ name: "public" }] };

describe("examples/self-hosted on a cluster, with a database, a bucket and a private authority,", function () {
    this.timeout(20 * 60_000);
    const cluster = useSharedCluster();
    let folder: string;
    let postgres: PostgresServer;
    let storage: S3Server;
    let repository: GitServer;
    let namespace: Namespace;
    let proxies: Forwarder[] = [];
    let stack: EngineStack;

    before(async function () {
        if (postgresPrograms() === undefined) {
            this.skip();
        }
        const { hostAddress } = cluster();
        folder = await mkdtemp(join(tmpdir(), "self-hosted-"));
        postgres = await PostgresServer.start(hostAddress);
        storage = await S3Server.start(hostAddress);
        repository = await GitServer.start({ host: hostAddress });
        await repository.commit({ "index.md": "# Docs\n\nAs it was.\n" });
        await loadServiceImage(cluster(), (await packPackages()).cli);

        namespace = await Namespace.create(cluster(), "self-hosted");
        await namespace.kubectl("apply", "--server-side", "--filename", await httpRouteDefinition());
        const certificate = await privateCertificate(folder, hostAddress);
        await namespace.kubectl("create", "configmap", "company-ca", `--from-file=${certificate.file}`);
        // Pods and this machine use the same addresses for the service and the storage, as behind a company's proxy.
        const targets = [async () => new URL(await namespace.serviceUrl(serviceName)), () => new URL(storage.endpoint)];
        proxies = await Promise.all(
            targets.map((target) => Forwarder.start(target, { host: hostAddress, certificate })),
        );
        stack = await createStack(certificate.file);
    });
    after(async () => {
        await stack?.remove();
        await namespace?.kubectl("delete", "--ignore-not-found", "crd/httproutes.gateway.networking.k8s.io");
        await namespace?.remove();
        proxies.forEach((proxy) => proxy.stop());
        await repository?.stop();
        await storage?.stop();
        await postgres?.stop();
        await rm(folder, { recursive: true, force: true });
    });

    async function createStack(authority: string): Promise<EngineStack> {
        const [api, bucketUrl] = proxies.map(({ url }) => url);
        const resources = { requests: { cpu: "50m", memory: "192Mi" }, limits: { memory: "3584Mi" } };
        const databaseUrl = await postgres.createDatabase();
        const serviceValues = {
            networkPolicy: { egressPorts: [Number(new URL(databaseUrl).port)] },
            image: { tag: serviceImage.tag, pullPolicy: "Never" },
            api: { replicaCount: 1 },
            worker: { replicaCount: 1, resources },
            httpRoute,
            extraVolumes: [{ name: "ca", configMap: { name: "company-ca" } }],
            extraVolumeMounts: [{ name: "ca", mountPath: "/etc/company-ca", readOnly: true }],
            extraEnv: [{ name: "NODE_EXTRA_CA_CERTS", value: "/etc/company-ca/ca.crt" }],
        };
        const { fetch, ...siteValues } = clusterValues(cluster());
        const values = {
            ...siteValues,
            // The service's links lead to the storage.
            networkPolicy: { egressPorts: [Number(new URL(String(bucketUrl)).port)] },
            fetch: { ...fetch, certificateAuthority: { configMap: "company-ca" } },
            httpRoute,
        };
        return EngineStack.create({
            program: new URL("../../../examples/self-hosted/", import.meta.url),
            config: {
                "static-export:baseUrl": String(api),
                source: `git+${repository.url}#main`,
                image: serviceImage.repository,
                bucket: `s3://${bucket}/exports`,
                endpoint: String(bucketUrl),
                namespace: namespace.name,
                serviceValues: JSON.stringify(serviceValues),
                values: JSON.stringify(values),
            },
            secret: {
                "static-export:adminApiKey": adminApiKey,
                databaseUrl,
                ...credentials,
            },
            env: { KUBECONFIG: cluster().kubeconfig, NODE_EXTRA_CA_CERTS: authority },
            pathFolders: [dirname(await ensureKubernetesProvider()), dirname(cluster().kubectl)],
        });
    }

    const servicePods = () =>
        namespace.kubectl("get", "pods", "--selector=app.kubernetes.io/instance=docs-service", "--output=name");
    const page = async () => (await fetch(`${await namespace.serviceUrl("docs-documentation-site")}/`)).text();

    it("installs the service, exports the site and rolls it out in one pulumi up", async () => {
        await stack.up();
        assert.match(await page(), /As it was\./);
        assert.equal((await storage.bundles("exports")).length, 1);
        const routes = await namespace.kubectl("get", "httproutes", "--output=jsonpath={.items[*].metadata.name}");
        assert.deepEqual(routes.split(" ").sort(), ["docs-documentation-site", serviceName]);
    });

    it("exports a new version from the repository without changing the service", async () => {
        const before = await servicePods();
        const earlier = await namespace.podNames();
        await repository.commit({ "index.md": "# Docs\n\nAs it is now.\n" });
        await stack.configure({ config: { version: "next" } });
        const { output } = await stack.up();
        assert.doesNotMatch(output, /DocumentationService|core:Secret.*(updated|replaced)/);
        await namespace.podsGone(...earlier);
        assert.match(await page(), /As it is now\./);
        assert.deepEqual(await servicePods(), before);
    });

    it("leaves nothing in the cluster after pulumi destroy, but keeps the bundles in the bucket", async () => {
        await stack.succeed("destroy", "--yes", "--skip-preview");
        await namespace.podsGone();
        assert.deepEqual(await namespace.everything(), ["configmap/company-ca"]);
        assert.equal((await storage.bundles("exports")).length, 2);
    });
});
