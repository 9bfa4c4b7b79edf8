import assert from "node:assert/strict";
import { type LookupAddress, type lookup as dnsLookup } from "node:dns";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ensureKubernetesProvider } from "@pulumi-static-export/toolchain";
import { Server as ProxyServer } from "proxy-chain";
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

/** Routes name hosts, never addresses. */
const publicHost = "docs-admin.example.net";
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
    let companyProxy: ProxyServer;
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
        const certificate = await privateCertificate(folder, hostAddress, publicHost);
        await namespace.kubectl("create", "configmap", "company-ca", `--from-file=${certificate.file}`);
        // Pods and this machine use the same address for the storage.
        const targets = [async () => new URL(await namespace.serviceUrl(serviceName)), () => new URL(storage.endpoint)];
        proxies = await Promise.all(
            targets.map((target) => Forwarder.start(target, { host: hostAddress, certificate })),
        );
        // Only the company's proxy knows the name of the service, so pulumi up and the site's pods use the proxy.
        const lookup = (_host: string, _options: object, found: (error: null, all: LookupAddress[]) => void) =>
            found(null, [{ address: hostAddress, family: 4 }]);
        const prepareRequestFunction = () => ({ dnsLookup: lookup as typeof dnsLookup });
        companyProxy = new ProxyServer({ host: hostAddress, port: 0, prepareRequestFunction });
        await companyProxy.listen();
        stack = await createStack(certificate.file);
    });
    after(async () => {
        await stack?.remove();
        await namespace?.kubectl("delete", "--ignore-not-found", "crd/httproutes.gateway.networking.k8s.io");
        await namespace?.remove();
        await companyProxy?.close(true);
        proxies.forEach((proxy) => proxy.stop());
        await repository?.stop();
        await storage?.stop();
        await postgres?.stop();
        await rm(folder, { recursive: true, force: true });
    });

    async function createStack(authority: string): Promise<EngineStack> {
        const { hostAddress, kubeconfig, kubectl } = cluster();
        const [api, bucketUrl] = proxies.map(({ url }) => new URL(url)) as [URL, URL];
        const throughProxy = {
            HTTPS_PROXY: `http://${hostAddress}:${companyProxy.port}`,
            NO_PROXY: `127.0.0.1,localhost,${hostAddress}/16`,
        };
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
            networkPolicy: { egressPorts: [companyProxy.port, Number(bucketUrl.port)] },
            fetch: {
                ...fetch,
                certificateAuthority: { configMap: "company-ca" },
                extraEnv: Object.entries(throughProxy).map(([name, value]) => ({ name, value })),
            },
            httpRoute,
        };
        return EngineStack.create({
            program: new URL("../../../examples/self-hosted/", import.meta.url),
            config: {
                "static-export:baseUrl": `https://${publicHost}:${api.port}`,
                source: `git+${repository.url}#main`,
                image: serviceImage.repository,
                bucket: `s3://${bucket}/exports`,
                endpoint: bucketUrl.origin,
                namespace: namespace.name,
                serviceValues: JSON.stringify(serviceValues),
                values: JSON.stringify(values),
            },
            secret: {
                "static-export:adminApiKey": adminApiKey,
                databaseUrl,
                ...credentials,
            },
            env: { ...throughProxy, KUBECONFIG: kubeconfig, NODE_EXTRA_CA_CERTS: authority },
            pathFolders: [dirname(await ensureKubernetesProvider()), dirname(kubectl)],
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
