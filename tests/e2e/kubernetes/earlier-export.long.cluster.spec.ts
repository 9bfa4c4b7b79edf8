import assert from "node:assert/strict";
import { Command } from "../../cli/support/command.js";
import { bucket, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { type EngineStack } from "../support/engine-stack.js";
import { adminApiKey } from "../support/platform.js";
import { exporterOf, siteArchive, siteFiles } from "./support/archives/site-archives.js";
import { storageSecrets } from "./support/bucket.js";
import { ClusterPlatform } from "./support/cluster-platform.js";
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

/** As in the guide "Back to an earlier export", version 2 contains a mistake. */
describe("a site whose latest export contains a mistake", () => {
    const cluster = useSharedCluster();
    let platform: ClusterPlatform;
    let storage: S3Server;
    let namespace: Namespace;
    let stack: EngineStack;

    const programOf = () => `${kubernetesImport}
        import { DocumentationSite } from "pulumi-static-export/site";
        const config = new pulumi.Config();
        const version = config.require("version");
        const bundle = new StaticExportBundle("docs", {
            domain: "docs.example.com", version, jobId: config.get("jobId"),
        });
        ${releaseText(namespace, { staticExport: "{ enabled: true, bundleUrl: bundle.bundleUrl, version: bundle.version }" })}
        const pin = config.get("pin");
        const site = new DocumentationSite("mirrored", {
            domain: "docs.example.com", version, deploymentType: "client-hosted",
            chart: "${chart}", chartTakesDigest: true, namespace: "${namespace.name}",
            values: ${JSON.stringify(clusterValues(cluster()))},
            mirror: { bucket: "${bucket}", endpoint: "${storage.endpoint}", keep: 2, ...(pin === undefined ? {} : { pin }) },
        });
        export const earlierJobIds = site.mirror?.earlierJobIds;`;

    /** Asserts that every page from the site's pods is of this version. */
    const assertServes = async (release: string, version: string) => {
        const url = await namespace.serviceUrl(siteName(release));
        for (const address of ["/", "/guides/start"]) {
            const text = await (await fetch(url + address)).text();
            const file = address === "/" ? "/index.html" : `${address}.html`;
            assert.equal(text, siteFiles(version)[file], `${release} does not serve version ${version} of ${address}`);
        }
    };
    /**
     * Runs `pulumi up`, waits until the pods of the releases have been replaced, and returns how many seconds `pulumi
     * up` took.
     */
    const upWith = async (setting: string, value: string, ...releases: string[]) => {
        const pods = (await Promise.all(releases.map((release) => namespace.podNames(release)))).flat();
        const startedMs = performance.now();
        await stack.configure({ config: { [setting]: value } });
        await stack.up();
        const seconds = (performance.now() - startedMs) / 1000;
        await namespace.podsGone(...pods);
        return seconds;
    };
    const goBack = async (setting: string, jobId: string, release: string) => {
        const started = platform.count("start");
        console.log(`      back after ${(await upWith(setting, jobId, release)).toFixed(1)} s`);
        await assertServes(release, "1");
        assert.equal(platform.count("start"), started, "an export was started");
    };

    before(async () => {
        const exporter = exporterOf(({ version = "" }) => siteArchive(version));
        platform = await ClusterPlatform.start(cluster(), { exporter });
        storage = await S3Server.start(cluster().hostAddress);
        namespace = await Namespace.create(cluster(), "earlier-export");
        const options = { program: programOf(), config: { version: "1" }, secret: storageSecrets };
        stack = await createSiteStack(namespace, platform, options);
        await stack.up();
        await upWith("version", "2", "docs", "mirrored");
        await assertServes("docs", "2");
        await assertServes("mirrored", "2");
    });
    after(async () => {
        await stack?.succeed("destroy", "--yes", "--skip-preview");
        await stack?.remove();
        await platform?.stop();
        await storage?.stop();
        await namespace?.remove();
    });

    it("serves the previous export after jobId is set to a job from static-export history", async () => {
        const { stdout } = await new Command(["history", "docs.example.com", "--json"], {
            cwd: stack.folder,
            env: { STATIC_EXPORT_BASE_URL: platform.baseUrl, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey },
        }).exited;
        const jobs = JSON.parse(stdout) as { jobId: string; version: string }[];
        await goBack("jobId", jobs.find(({ version }) => version === "1")?.jobId ?? "", "docs");
    });

    it("serves the previous copy of a mirror with keep after pin is set to the copy's job", async () => {
        const [earlier = ""] = (await stack.output("earlierJobIds")) as string[];
        await goBack("pin", earlier, "mirrored");
    });
});
