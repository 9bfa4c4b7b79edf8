import assert from "node:assert/strict";
import { withEgressOnly } from "@pulumi-static-export/cluster";
import { bucket, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { type EngineStack } from "../support/engine-stack.js";
import { allowReading, storageSecrets } from "./support/bucket.js";
import { ClusterPlatform } from "./support/cluster-platform.js";
import { createExampleStack } from "./support/example.js";
import { watchFetchFailures } from "./support/fetch-failures.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import {
    chart,
    clusterValues,
    createSiteStack,
    kubernetesImport,
    releaseText,
    siteName,
} from "./support/site-stack.js";

describe("a cluster whose pods can reach only a bucket", () => {
    const cluster = useSharedCluster();
    let platform: ClusterPlatform;
    let storage: S3Server;
    let namespace: Namespace;
    let stack: EngineStack | undefined;

    const inAirGap = <T>(work: () => Promise<T>) => {
        const { hostname, port } = new URL(storage.endpoint);
        return withEgressOnly(cluster(), { address: hostname, port: Number(port) }, work);
    };

    before(async () => {
        platform = await ClusterPlatform.start(cluster());
        storage = await S3Server.start(cluster().hostAddress);
    });
    after(async () => {
        await platform?.stop();
        await storage?.stop();
    });
    beforeEach(async () => {
        namespace = await Namespace.create(cluster(), "air-gapped");
    });
    afterEach(async () => {
        await stack?.succeed("destroy", "--yes", "--skip-preview");
        await stack?.remove();
        await namespace.remove();
        stack = undefined;
    });

    it("serves the site of examples/air-gapped from the bundle mirrored to the bucket", async () => {
        const config = {
            bucket,
            endpoint: storage.endpoint,
            publicUrl: await allowReading(storage),
            storageCidr: `${cluster().hostAddress}/32`,
        };
        stack = await createExampleStack("air-gapped", namespace, platform, config, storageSecrets);
        const running = stack;
        await inAirGap(() => running.up());
        const url = await namespace.serviceUrl(String(await stack.output("service")));
        assert.match(await (await fetch(`${url}/start`)).text(), /The second page\./);
        await running.succeed("destroy", "--yes", "--skip-preview");
        await namespace.podsGone();
        assert.deepEqual(await namespace.everything(), []);
    });

    it("makes pulumi up show the pods' message if the storage is also unreachable", async () => {
        stack = await createSiteStack(namespace, platform, {
            program: `${kubernetesImport}
                import { readFileSync } from "node:fs";
                import { DocumentationSite } from "pulumi-static-export/site";
                const site = {
                    domain: "docs.example.com", deploymentType: "air-gapped", chart: "${chart}", chartTakesDigest: true,
                    // A port that pods cannot reach.
                    mirror: { bucket: "${bucket}", endpoint: "${storage.endpoint}", publicUrl: "http://${cluster().hostAddress}:9" },
                    namespace: "${namespace.name}", values: ${JSON.stringify(clusterValues(cluster()))},
                    // The pods must start, try to connect, and report their failure within this time.
                    rolloutTimeoutSeconds: 30,
                } as const;
                new DocumentationSite("docs", site);
                const kubeconfig = pulumi.secret(readFileSync("${cluster().kubeconfig}", "utf8"));
                const provider = new k8s.Provider("own", { kubeconfig });
                new DocumentationSite("own", { ...site, kubeconfig }, { provider });`,
            secret: storageSecrets,
        });
        const running = stack;
        const { exitCode, output } = await inAirGap(() =>
            running.run("up", "--yes", "--skip-preview", "--continue-on-error"),
        );
        assert.notEqual(exitCode, 0, output);
        // One site uses the default provider; the other uses an explicit provider, whose cluster is configured only in
        // the program.
        const reason = "has no site to serve: No connection to .*Check networkPolicy\\.egressTo";
        for (const name of ["docs", "own"]) {
            assert.match(output, new RegExp(`warning: Pod ${name}-\\S+ ${reason}`));
        }
    });

    it("does not serve the site without the mirror, and the pod reports that it cannot connect", async () => {
        const staticExport = "{ enabled: true, bundleUrl: bundle.bundleUrl, version: bundle.version }";
        stack = await createSiteStack(namespace, platform, {
            program: `${kubernetesImport}
                const bundle = new StaticExportBundle("docs", { domain: "docs.example.com" });
                ${releaseText(namespace, { staticExport, timeoutSeconds: 30 })}`,
        });
        const running = stack;
        const [{ exitCode, output }, failures] = await inAirGap(async () => {
            const watch = watchFetchFailures(namespace, ["docs"]);
            const up = await running.run("up", "--yes", "--skip-preview");
            return [up, await watch.end()] as const;
        });
        assert.notEqual(exitCode, 0, output);
        assert.match(failures.get("docs") ?? "", /^No connection to /);
        await assert.rejects(namespace.serviceUrl(siteName()), /NotFound/);
    });
});
