import assert from "node:assert/strict";
import { waitFor } from "../../../dev/cluster/src/cluster/wait-for.js";
import { type EngineStack } from "../support/engine-stack.js";
import { exporterOf, siteArchive, siteFiles } from "./support/archives/site-archives.js";
import { ClusterPlatform } from "./support/cluster-platform.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { createSiteStack, kubernetesImport, releaseText, siteName } from "./support/site-stack.js";
import { withStoppedApi } from "./support/stopped-api.js";
import { answersOf, Visitors } from "./support/visitors.js";

describe("a stack with a site on a cluster", () => {
    const cluster = useSharedCluster();
    let platform: ClusterPlatform;
    let isStopped = false;
    let namespace: Namespace;
    let stack: EngineStack;
    let program: (version: string) => string;

    const page = async () => (await fetch(await namespace.serviceUrl(siteName()))).text();

    before(async () => {
        platform = await ClusterPlatform.start(cluster(), {
            exporter: exporterOf(({ version = "" }) => siteArchive(version)),
        });
        namespace = await Namespace.create(cluster(), "destroyed");
        program = (version: string) => `${kubernetesImport}
            const bundle = new StaticExportBundle("docs", { domain: "docs.example.com", version: "${version}" });
            const staticExport = { enabled: true, bundleUrl: bundle.bundleUrl, version: bundle.version };
            ${releaseText(namespace, { staticExport: "staticExport" })}`;
        stack = await createSiteStack(namespace, platform, { program: program("1") });
        await stack.up();
    });
    after(async () => {
        await stack?.remove();
        if (!isStopped) {
            await platform?.stop();
        }
        await namespace?.remove();
    });

    it("keeps its site while the Kubernetes API is stopped during pulumi up, and gets the new one afterwards", async () => {
        await stack.writeProgram(program("2"));
        const run = stack.start("up", "--yes", "--skip-preview");
        await run.seen(/Release docs updating/);
        const contents = Object.fromEntries(["1", "2"].map((each) => [each, { "/": siteFiles(each)["/index.html"]! }]));
        const url = await namespace.serviceUrl(siteName());
        const visitors = new Visitors(url, contents, ["/"], { ofEachKind: 2, pauseMs: 100 });
        const visited = () => {
            const count = answersOf(visitors);
            return Promise.resolve(count >= 400 ? undefined : `${count} answers`);
        };
        try {
            await withStoppedApi(cluster(), async () => {
                assert.equal(await waitFor(visited, { timeoutMs: 60_000 }), undefined);
            });
        } finally {
            assert.deepEqual((await visitors.leave()).failures, []);
        }
        console.log(`      the run ended with ${(await run.result).exitCode}`);
        await stack.up();
        assert.equal(await page(), siteFiles("2")["/index.html"]);
    });

    it("keeps its site if the service has stopped, and the error of pulumi up names the service's address", async () => {
        await platform.stop();
        isStopped = true;
        await stack.writeProgram(program("3"));
        const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
        assert.notEqual(exitCode, 0);
        assert.ok(output.includes(platform.baseUrl), output);
        assert.equal(await page(), siteFiles("2")["/index.html"]);
    });

    it("is removed completely if pulumi destroy is killed in the middle, and run again", async () => {
        const run = stack.start("destroy", "--yes", "--skip-preview");
        await run.seen(/Release docs deleting/);
        process.kill(-run.child.pid!, "SIGKILL");
        await run.result;
        const left = await namespace.everything();
        console.log(`      the killed run left ${left.length} objects`);
        assert.ok(left.length > 0);
        await stack.succeed("cancel", "--yes");
        await stack.succeed("destroy", "--yes", "--skip-preview");
        await namespace.podsGone();
        assert.deepEqual(await namespace.everything(), []);
    });
});
