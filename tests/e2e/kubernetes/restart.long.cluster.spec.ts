import assert from "node:assert/strict";
import { waitFor } from "../../../dev/cluster/src/cluster/wait-for.js";
import { bucket, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { type EngineStack } from "../support/engine-stack.js";
import { storageSecrets } from "./support/bucket.js";
import { ClusterPlatform } from "./support/cluster-platform.js";
import { fetchFailure } from "./support/fetch-failures.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { exporterOf, siteArchive, siteFiles } from "./support/archives/site-archives.js";
import { createSiteStack, kubernetesImport, releaseText, siteName } from "./support/site-stack.js";

/** Three sites of one stack, whose pods restart after the platform's links have expired. */
describe("a pod that starts after the bundle link has expired", () => {
    const cluster = useSharedCluster();
    let platformClock = Date.now;
    let platform: ClusterPlatform;
    let storage: S3Server;
    let namespace: Namespace;
    let stack: EngineStack;

    const programOf = () => {
        const cache = { enabled: true, accessModes: ["ReadWriteOnce"], size: "1Gi" };
        const version = "version: bundle.version";
        return `${kubernetesImport}
            import { BundleMirror } from "pulumi-static-export";
            const renewBeforeSeconds = new pulumi.Config().getNumber("renewBeforeSeconds");
            const bundle = new StaticExportBundle("docs", { domain: "docs.example.com", version: "1", renewBeforeSeconds });
            export const link = bundle.bundleUrl;
            const mirror = new BundleMirror("docs", {
                jobId: bundle.jobId, bucket: "${bucket}", endpoint: "${storage.endpoint}", deleteOnRemoval: true,
            });
            ${releaseText(namespace, {
                name: "mirrored",
                staticExport: `{ enabled: true, bundleUrl: mirror.url, sha256: mirror.sha256, ${version} }`,
            })}
            ${releaseText(namespace, {
                name: "cached",
                staticExport: `{ enabled: true, bundleUrl: bundle.bundleUrl, ${version} }`,
                values: { cache },
            })}
            ${releaseText(namespace, {
                name: "bare",
                staticExport: `{ enabled: true, bundleUrl: bundle.bundleUrl, ${version} }`,
            })}`;
    };
    const restart = async (site: string) => {
        const [pod = ""] = await namespace.podNames(site);
        await namespace.kubectl("delete", "pod", pod, "--wait=false");
        const missing = await waitFor(
            async () => ((await namespace.podNames(site)).length === 1 ? undefined : "no pod"),
            {
                timeoutMs: 60_000,
            },
        );
        assert.equal(missing, undefined);
        const [successor = ""] = await namespace.podNames(site);
        assert.notEqual(successor, pod);
        return successor;
    };
    const untilReady = (pod: string) =>
        namespace.kubectl("wait", "--for=condition=Ready", `pod/${pod}`, "--timeout=180s");
    const front = async (site: string) => (await fetch(await namespace.serviceUrl(siteName(site)))).text();

    before(async () => {
        const exporter = exporterOf(({ version = "" }) => siteArchive(version));
        platform = await ClusterPlatform.start(cluster(), { exporter, clock: () => platformClock() });
        storage = await S3Server.start(cluster().hostAddress);
        namespace = await Namespace.create(cluster(), "restart");
        stack = await createSiteStack(namespace, platform, { program: programOf(), secret: storageSecrets });
        await stack.up();
        // The platform's links are valid for an hour.
        platformClock = () => Date.now() + 2 * 3_600_000;
        assert.equal((await fetch(String(await stack.output("link")))).status, 403);
    });
    after(async () => {
        await stack?.remove();
        await platform?.stop();
        await storage?.stop();
        await namespace?.remove();
    });

    it("serves the site again from the mirror", async () => {
        const pod = await restart("mirrored");
        await untilReady(pod);
        assert.equal(await front("mirrored"), siteFiles("1")["/index.html"]);
        assert.match(await namespace.fetchLog(pod), /Fetched \d+ bytes from/);
    });

    it("serves the site again from the cache, and logs the reason", async () => {
        const pod = await restart("cached");
        await untilReady(pod);
        assert.equal(await front("cached"), siteFiles("1")["/index.html"]);
        assert.match(
            await namespace.fetchLog(pod),
            /SERVING FROM THE CACHE: HTTP 403 from .*the bundle link has expired/,
        );
    });

    it("reports the expired link and a working remedy if there is no mirror and no cache", async () => {
        const pod = await restart("bare");
        const failure = async () => fetchFailure((await namespace.pods("bare"))[0] ?? assert.fail("the pod is gone"));
        await waitFor(async () => ((await failure()) === undefined ? "no failure" : undefined), { timeoutMs: 60_000 });
        const message = String(await failure());
        assert.match(
            message,
            /^HTTP 403 from .*: the bundle link has expired or was withdrawn\. Next: run 'pulumi up --refresh'/,
        );
        assert.match(await namespace.kubectl("describe", "pod", pod), /the bundle link has expired/);
        // The command in the chart's README.
        const ofRelease = "--selector=app.kubernetes.io/instance=bare";
        const logged = await namespace.kubectl("logs", ofRelease, "--container=fetch-bundle", "--prefix");
        assert.match(logged, /the bundle link has expired/);
        assert.doesNotMatch(message + logged, /signature/);

        await stack.configure({ config: { renewBeforeSeconds: "3590" } });
        await stack.up();
        await untilReady(pod);
        assert.equal(await front("bare"), siteFiles("1")["/index.html"]);
    });

    it("leaves nothing in the namespace after pulumi destroy, nor in the bucket with deleteOnRemoval", async () => {
        assert.equal((await storage.keys()).length, 2);
        await stack.succeed("destroy", "--yes", "--skip-preview");
        await namespace.podsGone();
        assert.deepEqual(await namespace.everything(), []);
        assert.deepEqual(await storage.keys(), []);
    });
});
