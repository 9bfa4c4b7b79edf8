import assert from "node:assert/strict";
import { waitFor } from "../../../dev/cluster/src/cluster/wait-for.js";
import { type EngineStack } from "../support/engine-stack.js";
import { ClusterPlatform } from "./support/cluster-platform.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { exporterOf, siteArchive, siteFiles } from "./support/archives/site-archives.js";
import { createSiteStack, kubernetesImport, releaseText, siteName } from "./support/site-stack.js";
import { answersOf, type Contents, Visitors } from "./support/visitors.js";

/** Returns the content at each address of a version's site. */
function contentOf(version: string): Contents[string] {
    const files = siteFiles(version);
    return Object.fromEntries(
        ["/", "/guides/start", "/assets/site.css"].map((address) => [
            address,
            files[address] ?? files[`${address}.html`] ?? files[`${address}index.html`] ?? "",
        ]),
    );
}

describe("a rollout of a new version", () => {
    const cluster = useSharedCluster();
    let platform: ClusterPlatform;
    let namespace: Namespace;
    let stack: EngineStack;

    const programFor = (replicaCount: number) => {
        // The chart's defaults, which are too slow for other specs.
        const values = { replicaCount, nginx: { keepaliveSeconds: 15, drainSeconds: 20 } };
        return `${kubernetesImport}
            const version = new pulumi.Config().require("version");
            const bundle = new StaticExportBundle("docs", { domain: "docs.example.com", version });
            ${releaseText(namespace, { staticExport: "{ enabled: true, bundleUrl: bundle.bundleUrl, version }", values })}`;
    };

    /** Waits until there is a new pod. */
    const newPod = async (oldPods: readonly string[]) => {
        const look = async () =>
            (await namespace.podNames()).every((name) => oldPods.includes(name)) ? "no new pod" : undefined;
        assert.equal(await waitFor(look, { timeoutMs: 120_000 }), undefined);
    };

    before(async () => {
        const exporter = exporterOf(({ version = "" }) => siteArchive(version));
        platform = await ClusterPlatform.start(cluster(), { exporter });
        namespace = await Namespace.create(cluster(), "rollout");
        stack = await createSiteStack(namespace, platform, { program: programFor(2), config: { version: "old" } });
        await stack.up();
    });
    after(async () => {
        await stack?.succeed("destroy", "--yes", "--skip-preview");
        await stack?.remove();
        await platform?.stop();
        await namespace?.remove();
    });

    for (const [replicas, old, next] of [
        [2, "old", "new"],
        [1, "new", "newest"],
    ] as const) {
        it(`fails no request and answers every request from the old or the new site (${replicas} replicas)`, async () => {
            const contents = { [old]: contentOf(old), [next]: contentOf(next) };
            const oldPods = await namespace.podNames();
            const url = await namespace.serviceUrl(siteName());
            const addresses = Object.keys(contents[next] ?? {});
            const visitors = new Visitors(url, contents, addresses);
            // Connections that were idle are the most likely to be cut during a request.
            const readers = new Visitors(url, contents, addresses, { pauseMs: 3000 });
            await stack.writeProgram(programFor(replicas));
            await stack.configure({ config: { version: next } });
            // The export comes first; requests during the export do not test a rollout.
            const [answeredBefore] = await Promise.all([newPod(oldPods).then(() => visitors.answered), stack.up()]);
            // The last old pod continues to serve while its removal propagates, and must not cut off a visitor when it
            // ends.
            await namespace.podsGone(...oldPods);
            const answered = visitors.answered;
            const [{ seen, failures }, read] = await Promise.all([visitors.leave(), readers.leave()]);

            assert.deepEqual([...failures, ...read.failures], []);
            const kept = answered.kept - answeredBefore.kept;
            const fresh = answered.fresh - answeredBefore.fresh;
            const all = answersOf({ answered });
            console.log(
                `      ${kept + fresh} requests from the first new pod to the last old one (${all} in all), none failed`,
            );
            // An idle machine makes thousands of requests; a busy machine may make few.
            assert.ok(kept > 0 && fresh > 0, `one kind of connection was not used: ${kept} kept, ${fresh} fresh`);
            for (const address of addresses) {
                assert.ok(seen.get(`${address} ${old}`), `${address} was never seen in its old version`);
                assert.ok(seen.get(`${address} ${next}`), `${address} was never seen in its new version`);
            }
            assert.deepEqual(
                (await namespace.podNames()).filter((name) => oldPods.includes(name)),
                [],
            );
        });
    }
});
