import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { type EngineStack } from "../support/engine-stack.js";
import { ClusterPlatform } from "./support/cluster-platform.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { createSiteStack, kubernetesImport, releaseText, siteName } from "./support/site-stack.js";

const run = promisify(execFile);

const program = (namespace: Namespace) => `${kubernetesImport}
    const bundle = new StaticExportBundle("docs", {
        domain: "docs.example.com", version: "1", renewBeforeSeconds: new pulumi.Config().getNumber("renewBeforeSeconds"),
    });
    ${releaseText(namespace, { staticExport: "{ enabled: true, bundleUrl: bundle.bundleUrl, version: bundle.version }" })}
    export const { bundleUrl } = bundle;`;

describe("a Helm release of the chart, created through Pulumi,", () => {
    const cluster = useSharedCluster();
    let platform: ClusterPlatform;
    let namespace: Namespace;
    let stack: EngineStack;
    let url: string;

    before(async () => {
        platform = await ClusterPlatform.start(cluster());
        const redirects = [{ source: "/old", destination: "/start" }];
        await writeFile(
            join(platform.platform.site, "docs.json"),
            JSON.stringify({ redirects, navigation: { pages: ["index", "start"] } }),
        );
        namespace = await Namespace.create(cluster(), "release");
        stack = await createSiteStack(namespace, platform, { program: program(namespace) });
        await stack.up();
        url = await namespace.serviceUrl(siteName());
    });
    after(async () => {
        await stack?.remove();
        await platform?.stop();
        await namespace?.remove();
    });

    it("serves the exported pages at addresses without an extension", async () => {
        for (const [address, text] of [
            ["/", "The first page."],
            ["/start", "The second page."],
        ] as const) {
            const response = await fetch(url + address);
            assert.equal(response.status, 200);
            assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
            assert.ok((await response.text()).includes(text), `${address} does not say "${text}"`);
        }
    });

    it("redirects an old address to the new one, using the export's redirect map", async () => {
        const response = await fetch(`${url}/old?q=1`, { redirect: "manual" });
        assert.deepEqual([response.status, response.headers.get("location")], [308, "/start?q=1"]);
    });

    it("passes the chart's own tests", async () => {
        const helm = await ensureTool("helm");
        const { stdout } = await run(helm, [
            ...["test", "docs", "--namespace", namespace.name, "--kubeconfig", cluster().kubeconfig],
            ...["--timeout", "120s"],
        ]);
        assert.equal(stdout.match(/^Phase: +Succeeded$/gm)?.length, 2, stdout);
    });

    it("shows no diff if nothing has changed", async () => {
        const { output } = await stack.succeed("up", "--yes", "--skip-preview", "--expect-no-changes");
        assert.match(output, /3 unchanged/);
    });

    it("writes a renewed link to the Secret without restarting pods", async () => {
        const secret = async () => {
            const ofSite = [
                "--selector=app.kubernetes.io/instance=docs",
                "--output=jsonpath={.items[*].data.bundle-url}",
            ];
            return Buffer.from(await namespace.kubectl("get", "secrets", ...ofSite), "base64").toString();
        };
        const pods = await namespace.podNames();
        const link = await secret();
        assert.equal(link, await stack.output("bundleUrl"));

        // The link is valid for 3600 s, so this setting renews the link if it is more than ten seconds old.
        await stack.configure({ config: { renewBeforeSeconds: "3590" } });
        await stack.up();
        assert.notEqual(await secret(), link);
        assert.equal(await secret(), await stack.output("bundleUrl"));
        assert.equal(new URL(await secret()).pathname, new URL(link).pathname);
        assert.deepEqual(await namespace.podNames(), pods);
        assert.equal(platform.count("start"), 1);
    });

    it("keeps the link and the key out of its output, the pod log and kubectl describe", async () => {
        const link = String(await stack.output("bundleUrl"));
        const signature = new URL(link).searchParams.get("signature") ?? "";
        assert.notEqual(signature, "");
        const [pod = ""] = await namespace.podNames();
        const described = await namespace.kubectl("describe", "all");
        for (const text of [described, await namespace.fetchLog(pod), await stack.writtenText()]) {
            assert.ok(!text.includes(signature), "the link's signature is in the clear");
        }
    });

    it("leaves nothing in the namespace after pulumi destroy", async () => {
        await stack.succeed("destroy", "--yes", "--skip-preview");
        // Pods continue to serve until their removal has reached all nodes.
        await namespace.podsGone();
        assert.deepEqual(await namespace.everything(), []);
    });
});
