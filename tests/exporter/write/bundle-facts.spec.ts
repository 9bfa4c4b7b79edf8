import assert from "node:assert/strict";
import { type BundleFacts, parseBundleFacts } from "@pulumi-static-export/contract";
import { type ExportSiteOptions } from "../../../exporter/src/write/export-site.js";
import { type Files, withExport } from "../support/site-fixture.js";

const api = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://api.example.com:8443/v1" }],
    paths: { "/pets": { get: { summary: "List pets", responses: { "200": { description: "OK" } } } } },
};

/** A site with every feature that loads or sends data. */
const files: Files = {
    "docs.json": JSON.stringify({
        name: "Docs",
        integrations: {
            plausible: { domain: "docs.example.com", server: "https://stats.example.com" },
            intercom: { appId: "a1" },
            cookies: { key: "consent", value: "yes" },
        },
        contextual: { options: ["copy", "claude", "chatgpt"] },
        navigation: { pages: ["start", "pets", "members"] },
    }),
    "api.json": JSON.stringify(api),
    "site.css": '.a { background: url("https://fonts.example.net/a.png") }',
    "start.mdx":
        "# Start\n\n![](https://img.example.net/a.png)\n\n" +
        '<iframe src="https://www.youtube.com/embed/1" title="Film" />\n\n' +
        "[A link](https://elsewhere.example.net/) and ![](https://docs.example.com/own.png)\n\n" +
        '`<img src="https://code.example.net/a.png">`\n',
    "pets.md": "---\nopenapi: api.json GET /pets\n---\n",
    "members.md": "---\ntitle: Members\ngroups: [a]\n---\nThe plan.\n",
};

async function factsOf(options: Partial<ExportSiteOptions> = {}, site = files): Promise<BundleFacts> {
    let facts: BundleFacts | undefined;
    const read = async (file: { read: (name: string) => Promise<string> }) => {
        facts = parseBundleFacts(await file.read("static-export/bundle.json"));
    };
    await withExport(site, read, options);
    assert.ok(facts !== undefined, "bundle.json is not in its own form");
    return facts;
}

describe("the facts of a bundle", () => {
    it("list the features, and every host that pages load from or send to", async () => {
        assert.deepEqual(await factsOf(), {
            version: 1,
            domain: "docs.example.com",
            basePath: "",
            deployment: "client-hosted",
            pages: 2,
            privatePages: 0,
            features: { documentationSearch: true, aiAssistant: true, webAnalytics: true, apiPlayground: true },
            services: [
                {
                    ...{ name: "plausible", title: "Plausible", kind: "analytics", sends: "page views and events" },
                    ...{ hosts: ["stats.example.com"], needsConsent: true },
                },
                {
                    ...{ name: "intercom", title: "Intercom", kind: "support", sends: "chats of readers" },
                    hosts: ["widget.intercom.io", "js.intercomcdn.com", "*.intercom.io", "*.intercomcdn.com"],
                    needsConsent: true,
                },
            ],
            apiServers: ["api.example.com:8443"],
            aiTools: ["chatgpt", "claude"],
            embeds: ["fonts.example.net", "img.example.net", "www.youtube.com"],
        });
    });

    it("list all hosts that pages load from, but no features or services, if the export is air-gapped", async () => {
        const { features, services, aiTools, apiServers, embeds } = await factsOf({ deployment: "air-gapped" });
        assert.deepEqual(
            { features, services, aiTools, apiServers, embeds },
            {
                features: { documentationSearch: false, aiAssistant: false, webAnalytics: false, apiPlayground: false },
                ...{ services: [], aiTools: [], apiServers: [] },
                embeds: ["fonts.example.net", "img.example.net", "www.youtube.com"],
            },
        );
    });

    it("do not name hosts for a plain site", async () => {
        const { services, apiServers, aiTools, embeds, features } = await factsOf({}, { "index.md": "# Hello\n" });
        assert.deepEqual(
            { services, apiServers, aiTools, embeds },
            { services: [], apiServers: [], aiTools: [], embeds: [] },
        );
        assert.deepEqual([features.webAnalytics, features.apiPlayground], [false, false]);
    });

    it("are at the bundle's root, even if the site is under a path", async () => {
        const { basePath } = await factsOf({ basePath: "docs" });
        assert.equal(basePath, "docs");
    });

    it("are restricted to signed-in readers only if the site has private pages", async () => {
        await withExport(
            files,
            async ({ read }) => {
                const { files: listed } = JSON.parse(await read("access.json")) as { files: Record<string, string[]> };
                assert.deepEqual(listed["static-export/bundle.json"], []);
                const facts = parseBundleFacts(await read("static-export/bundle.json"));
                assert.deepEqual([facts?.pages, facts?.privatePages], [2, 1]);
            },
            { privatePages: "keep-apart" },
        );
        await withExport(
            { "index.md": "# Hello\n" },
            async ({ read }) => assert.doesNotMatch(await read("access.json"), /bundle\.json/),
            { privatePages: "keep-apart" },
        );
    });
});
