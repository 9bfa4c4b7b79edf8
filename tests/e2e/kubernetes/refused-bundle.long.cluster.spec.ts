import assert from "node:assert/strict";
import { type EngineStack } from "../support/engine-stack.js";
import { ClusterPlatform } from "./support/cluster-platform.js";
import { watchFetchFailures } from "./support/fetch-failures.js";
import { Namespace } from "./support/namespace.js";
import { refused } from "./support/archives/refused-archives.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { exporterOf, siteArchive, siteFiles } from "./support/archives/site-archives.js";
import {
    chart,
    clusterValues,
    createSiteStack,
    kubernetesImport,
    releaseText,
    siteName,
} from "./support/site-stack.js";
import { Visitors } from "./support/visitors.js";

type Kind = keyof typeof refused;
const kinds = Object.keys(refused) as Kind[];
const wrongDigest = "0".repeat(64);

/** One site for each kind of bundle that must not be served, in one stack, so that the sites fail at the same time. */
describe("a new bundle that must not be served", () => {
    const cluster = useSharedCluster();
    const timeoutSeconds = 30;
    let platform: ClusterPlatform;
    let namespace: Namespace;
    let stack: EngineStack;

    const releases = () =>
        kinds.map((kind) => {
            const sha256 = kind === "exchanged" ? `isRefused ? "${wrongDigest}" : ""` : '""';
            const staticExport = `{ enabled: true, bundleUrl: bundle.bundleUrl, version: bundle.version, sha256: ${sha256} }`;
            return `{
            const bundle = new StaticExportBundle("${kind}", {
                domain: "docs.example.com", version: isRefused ? "${kind}" : "good",
            });
            ${releaseText(namespace, { name: kind, staticExport, timeoutSeconds })}
        }`;
        });
    const sites = () =>
        kinds.map(
            (kind) => `new DocumentationSite("${kind}", {
        domain: "docs.example.com", version: isRefused ? "${kind}" : "good", deploymentType: "client-hosted",
        chart: "${chart}", chartTakesDigest: true, namespace: "${namespace.name}",
        rolloutTimeoutSeconds: ${timeoutSeconds},
        values: ${JSON.stringify(clusterValues(cluster()))},
        ${kind === "exchanged" ? `...(isRefused ? { expectedSha256: "${wrongDigest}" } : {}),` : ""}
    });`,
        );
    const programOf = (parts: string[]) => `${kubernetesImport}
        import { DocumentationSite } from "pulumi-static-export/site";
        const isRefused = new pulumi.Config().getBoolean("isRefused") ?? false;
        ${parts.join("\n")}`;

    const start = async (parts: () => string[]) => {
        const exporter = exporterOf(({ version = "" }) => refused[version as Kind]?.content() ?? siteArchive(version));
        platform = await ClusterPlatform.start(cluster(), { exporter });
        namespace = await Namespace.create(cluster(), "refused");
        stack = await createSiteStack(namespace, platform, { program: programOf(parts()) });
        await stack.up();
    };
    const stop = async () => {
        await stack?.succeed("destroy", "--yes", "--skip-preview");
        await stack?.remove();
        await platform?.stop();
        await namespace?.remove();
    };
    /** Visits the sites during `work`. */
    const whileVisited = async <T>(work: () => Promise<T>): Promise<T> => {
        const contents = { good: { "/": siteFiles("good")["/index.html"] ?? "" } };
        const urls = await Promise.all(kinds.map((kind) => namespace.serviceUrl(siteName(kind))));
        const visitors = urls.map((url) => new Visitors(url, contents, ["/"], { ofEachKind: 1, pauseMs: 20 }));
        try {
            return await work();
        } finally {
            for (const visitor of visitors) {
                const { seen, failures } = await visitor.leave();
                assert.deepEqual(failures, []);
                assert.ok(Number(seen.get("/ good")) > 50);
            }
        }
    };

    describe("in a Release", () => {
        let failures: ReadonlyMap<string, string>;
        let output: string;
        let durationMs: number;
        let podsBefore: string[][];

        before(async () => {
            await start(releases);
            podsBefore = await Promise.all(kinds.map((kind) => namespace.podNames(kind)));
            await stack.configure({ config: { isRefused: "true" } });
            const startedAt = performance.now();
            const [up, seen] = await whileVisited(async () => {
                const watch = watchFetchFailures(namespace, kinds);
                const result = await stack.run("up", "--yes", "--skip-preview", "--continue-on-error");
                return [result, await watch.end()] as const;
            });
            durationMs = performance.now() - startedAt;
            failures = seen;
            output = up.output;
            assert.notEqual(up.exitCode, 0, up.output);
        });
        after(stop);

        for (const kind of kinds) {
            it(`makes its pod report the reason for the refusal: ${kind}`, () => {
                assert.match(failures.get(kind) ?? "", refused[kind].says.pod);
            });
            it(`makes pulumi up fail and report the rollback of the release: ${kind}`, () => {
                assert.match(output, new RegExp(`/${kind}: release ${kind} failed, and has been rolled back`));
            });
        }

        it("makes pulumi up fail by the configured deadline", () => {
            // The deadline applies separately to the rollout and to the rollback, and the engine needs time to start.
            // Without this deadline, Helm would wait five minutes for the rollout and five minutes for the rollback.
            assert.ok(durationMs < (2 * timeoutSeconds + 180) * 1000, `it took ${Math.round(durationMs)} ms`);
        });

        it("does not replace the pods of the live site", async () => {
            assert.deepEqual(await Promise.all(kinds.map((kind) => namespace.podNames(kind))), podsBefore);
            for (const kind of kinds) {
                const page = await (await fetch(await namespace.serviceUrl(siteName(kind)))).text();
                assert.equal(page, siteFiles("good")["/index.html"]);
            }
        });

        it("does not block a valid bundle that follows", async () => {
            await stack.configure({ config: { isRefused: "false" } });
            await stack.up();
            for (const kind of kinds) {
                const health: unknown = await (
                    await fetch(`${await namespace.serviceUrl(siteName(kind))}/healthz`)
                ).json();
                assert.deepEqual(health, { status: "ok", version: "good" });
            }
        });
    });

    describe("in a DocumentationSite", () => {
        let output: string;
        let podsBefore: string[][];

        before(async () => {
            await start(sites);
            podsBefore = await Promise.all(kinds.map((kind) => namespace.podNames(kind)));
            await stack.configure({ config: { isRefused: "true" } });
            const up = await whileVisited(() => stack.run("up", "--yes", "--skip-preview", "--continue-on-error"));
            output = up.output;
            assert.notEqual(up.exitCode, 0, up.output);
        });
        after(stop);

        for (const kind of kinds) {
            it(`stops pulumi up with the reason before any rollout: ${kind}`, () => {
                const [, diagnostics = ""] = output.split("Diagnostics:");
                const [, ofCheck = ""] = diagnostics.split(`BundleCheck (${kind}):`);
                assert.match(ofCheck.split("\n\n")[0] ?? "", refused[kind].says.check);
            });
        }

        it("neither replaces the pods of the live site nor updates the release", async () => {
            assert.deepEqual(await Promise.all(kinds.map((kind) => namespace.podNames(kind))), podsBefore);
            assert.doesNotMatch(output, /helm\.sh\/v3:Release \w+ updating/);
        });
    });
});
