import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Page } from "playwright-core";
import { ScriptedEndpoint } from "../../answer/support/scripted-endpoint.js";
import { useChromium, withReader } from "../../exporter/browser/chromium.js";
import { services } from "../../exporter/browser/support/services.js";
import { bucket, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { packPackages } from "../packages/support/packed-packages.js";
import { type EngineStack } from "../support/engine-stack.js";
import { allowReading, storageSecrets } from "./support/bucket.js";
import { ClusterPlatform } from "./support/cluster-platform.js";
import { loadServiceImage, serviceImage } from "./support/installed-service/service-image.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { chart, clusterValues, createSiteStack, siteName } from "./support/site-stack.js";

const address = "https://docs.example.com";

/** A site with every feature in the matrix. */
const files = {
    "docs.json": JSON.stringify({
        name: "Walrus",
        contextual: { options: ["copy", "assistant", "mcp"] },
        integrations: { plausible: services.plausible.settings },
        navigation: { pages: ["start", "pets"] },
    }),
    "api.json": JSON.stringify({
        openapi: "3.1.0",
        info: { title: "Pets", version: "1" },
        servers: [{ url: "https://api.example.com" }],
        paths: { "/pets": { get: { summary: "List pets", responses: { "200": { description: "OK" } } } } },
    }),
    "start.md": "# Start\n\nInstall the walrus with npm.\n",
    "pets.md": "---\nopenapi: api.json GET /pets\n---\n",
};

/**
 * The program's sites: one for each type of deployment, and one for each way to configure the two configurable types.
 */
const sites = ["cloud", "hosted", "hosted-off", "air-gapped", "air-gapped-try-it"] as const;

/** The features that readers find at a site. */
interface Found {
    readonly search: boolean;
    readonly assistant: boolean;
    readonly analytics: boolean;
    readonly tryIt: boolean;
    readonly page: boolean;
}

const rows: readonly [title: string, feature: keyof Found, (typeof sites)[number][]][] = [
    ["Documentation search", "search", ["cloud", "hosted"]],
    ["AI assistant", "assistant", ["cloud", "hosted"]],
    ["Web analytics", "analytics", ["cloud", "hosted"]],
    ['API playground ("Try it")', "tryIt", ["cloud", "hosted", "air-gapped-try-it"]],
    ["Static export bundle", "page", [...sites]],
];

describe("DocumentationSite on a cluster, compared with the feature matrix,", function () {
    this.timeout(20 * 60_000);
    const cluster = useSharedCluster();
    const browser = useChromium();
    let platform: ClusterPlatform;
    let storage: S3Server;
    let endpoint: ScriptedEndpoint;
    let namespace: Namespace;
    let stack: EngineStack;
    let output = "";
    const found = new Map<string, Found>();

    before(async () => {
        await loadServiceImage(cluster(), (await packPackages()).cli);
        const { hostAddress } = cluster();
        endpoint = await ScriptedEndpoint.start(
            sites.flatMap(() => [
                { calls: "search", with: { query: "walrus" } },
                { says: "Install it with npm, as [Start](/start) says." },
            ]),
            hostAddress,
        );
        storage = await S3Server.start(hostAddress);
        platform = await ClusterPlatform.start(cluster());
        const { site } = platform.platform;
        await Promise.all(["index.md", "start.md"].map((name) => rm(join(site, name))));
        await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(site, name), text)));
        namespace = await Namespace.create(cluster(), "feature-matrix");
        stack = await createSiteStack(namespace, platform, {
            program: programFor(await allowReading(storage)),
            secret: storageSecrets,
        });
        ({ output } = await stack.up());
        for (const site of sites) {
            const url = await namespace.serviceUrl(siteName(site));
            await withReader(browser(), async (page) => void found.set(site, await lookAt(page, url)));
        }
    });
    after(async () => {
        await stack?.succeed("destroy", "--yes", "--skip-preview");
        await stack?.remove();
        await platform?.stop();
        await storage?.stop();
        endpoint?.stop();
        await namespace?.remove();
    });

    function programFor(publicUrl: string): string {
        const site = {
            ...{ domain: "docs.example.com", chart, chartTakesDigest: true, namespace: namespace.name },
            values: clusterValues(cluster()),
        };
        const assistant = { endpoint: endpoint.address, model: "walrus-1" };
        const answer = { image: { ...serviceImage, pullPolicy: "Never" }, assistant };
        const mirror = { bucket, endpoint: storage.endpoint, publicUrl };
        const off = { documentationSearch: false, webAnalytics: false, apiPlayground: false };
        const [cloud, hosted, airGapped] = ["cloud", "client-hosted", "air-gapped"];
        const declared: Record<(typeof sites)[number], object> = {
            cloud: { deploymentType: cloud, answer },
            hosted: { deploymentType: hosted, answer },
            // This site switches the assistant on, but the assistant is missing without an endpoint.
            "hosted-off": { deploymentType: hosted, features: { ...off, aiAssistant: true } },
            "air-gapped": { deploymentType: airGapped, mirror },
            "air-gapped-try-it": {
                ...{ deploymentType: airGapped, mirror },
                features: { apiPlayground: true },
            },
        };
        const refused = [
            { features: { documentationSearch: true } },
            { features: { aiAssistant: true } },
            { features: { webAnalytics: true } },
            { answer },
        ].map((each) => ({ ...site, deploymentType: airGapped, mirror, ...each }));
        return `import { DocumentationSite } from "pulumi-static-export/site";
            const sites = ${JSON.stringify(declared)};
            for (const [name, args] of Object.entries(sites)) {
                new DocumentationSite(name, { ...${JSON.stringify(site)}, ...args } as any);
            }
            export const refusals = ${JSON.stringify(refused)}.map((args) => {
                try {
                    new DocumentationSite("refused", args as any);
                    return "accepted";
                } catch (error) {
                    return (error as Error).message;
                }
            });`;
    }

    for (const [title, feature, present] of rows) {
        it(`shows the row "${title}": ${present.join(", ")}`, () => {
            assert.deepEqual(
                sites.filter((site) => found.get(site)?.[feature]),
                present,
            );
        });
    }

    it("offers search, MCP and an assistant to programs only in deployments with a server", async () => {
        const accept = "application/json, text/event-stream";
        for (const site of sites) {
            const url = await namespace.serviceUrl(siteName(site));
            for (const [path, body] of [
                ["/v1/search/docs.example.com", { query: "walrus" }],
                ["/mcp", { jsonrpc: "2.0", id: 1, method: "ping" }],
                ["/v2/assistant/docs.example.com/message", { messages: [{ role: "user", content: "How?" }] }],
            ] as const) {
                const headers = { accept, "content-type": "application/json" };
                const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
                await response.text();
                assert.deepEqual([site, path, response.ok], [site, path, ["cloud", "hosted"].includes(site)]);
            }
        }
    });

    it("rejects features that send data out of an air-gapped network, and names their rows", async () => {
        const refusals = (await stack.output("refusals")) as string[];
        assert.equal(refusals.length, 4);
        for (const [at, title] of ["Documentation search", "AI assistant", "Web analytics"].entries()) {
            assert.match(refusals[at] ?? "", new RegExp(`${title} is unavailable in deployments of type air-gapped`));
        }
        assert.match(refusals[3] ?? "", /answer needs documentation search, which is unavailable/);
    });

    it("reports which setting an assistant lacks", () => {
        assert.match(output, /features\.aiAssistant is true, but the site has no assistant: set answer\.assistant/);
    });
});

/** Views a site as a reader does, at the site's own address, and replaces third-party services. */
async function lookAt(page: Page, url: string): Promise<Found> {
    const loaded: string[] = [];
    await page.route("**/*", async (route) => {
        const asked = route.request().url();
        if (asked.startsWith(address)) {
            // At the pod's own address, the server would treat the page as part of another site.
            const { origin: _, ...headers } = route.request().headers();
            const response = await route.fetch({ url: url + asked.slice(address.length), headers });
            await route.fulfill({ response });
        } else {
            loaded.push(asked);
            await route.fulfill({ contentType: "text/javascript", body: "" });
        }
    });
    const response = await page.goto(`${address}/start`, { waitUntil: "networkidle" });
    const isPage = response?.status() === 200 && (await page.locator("h1").innerText()) === "Start";
    const analytics = loaded.includes(services.plausible.script);

    const search = await isOpened(page, "/", ".search-open", async () => {
        await page.locator("dialog.search input").fill("walrus");
        await page.locator("dialog.search [role=option]", { hasText: "Start" }).first().waitFor();
        await page.keyboard.press("Escape");
    });
    // The key opens the assistant, unless the reader is typing, for example in the search.
    await page.goto(`${address}/start`, { waitUntil: "networkidle" });
    const assistant = await isOpened(page, "?", "[data-option=assistant]", async () => {
        const question = page.getByRole("textbox", { name: "Your question" });
        await question.fill("How do I install it?");
        await question.press("Enter");
        await page.getByRole("dialog", { name: "Assistant" }).getByText("Install it with npm").waitFor();
    });

    await page.goto(`${address}/pets`, { waitUntil: "networkidle" });
    const tryIt = (await page.locator("summary", { hasText: "Try it" }).count()) > 0;
    return { search, assistant, analytics, tryIt, page: isPage };
}

/** Returns whether the page offers a feature or opens a dialog for its key; uses the feature if the page offers it. */
async function isOpened(page: Page, key: string, offered: string, use: () => Promise<void>): Promise<boolean> {
    const isOffered = (await page.locator(offered).count()) > 0;
    await page.keyboard.press(key);
    if (isOffered) {
        await use();
    }
    return isOffered || (await page.locator("dialog[open], [role=dialog]:visible").count()) > 0;
}
