import assert from "node:assert/strict";
import { type ExportSiteOptions } from "../../../../exporter/src/write/export-site.js";
import { type Files, warningsOf, withExport } from "../../support/site-fixture.js";

const document = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths: { "/pets": { get: { summary: "List pets", responses: { "200": { description: "OK" } } } } },
};

function siteWith(contextual: object): Files {
    return {
        "docs.json": JSON.stringify({
            name: "Docs",
            contextual,
            navigation: { groups: [{ group: "A", pages: ["guides/start", "api.json GET /pets"] }] },
        }),
        "api.json": JSON.stringify(document),
        "guides/start.md": "# Start\n\nRun </script> & go.\n",
    };
}

const unescape = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");

/** Returns the menu's entries in order: the text that readers see, with the link's address or the button's action. */
function menuOf(html: string): [text: string, does: string][] {
    const [, menu = ""] = /<div class="page-menu"[^>]*>(.*)<\/div>\n/.exec(html) ?? [];
    return [...menu.matchAll(/<(?:a|button)([^>]*)>(.*?)<\/(?:a|button)>/g)].map(([, attributes = "", inner = ""]) => {
        const [, does = ""] = /(?:href|data-copies)="([^"]*)"/.exec(attributes) ?? [];
        const text = inner.replace(/<span class="choice-text">/, ": ").replace(/<[^>]*>/g, "");
        return [unescape(text), unescape(does)];
    });
}

async function menuWith(
    options: unknown[],
    { page = "guides/start.html", ...exported }: Partial<ExportSiteOptions> & { page?: string } = {},
): Promise<[text: string, does: string][]> {
    let menu: [string, string][] = [];
    const read = async (site: { read: (file: string) => Promise<string> }) => {
        menu = menuOf(await site.read(page));
    };
    await withExport(siteWith({ options }), read, exported);
    return menu;
}

const question = encodeURIComponent("Read https://docs.example.com/guides/start.md so I can ask questions about it.");

describe("the page menu", () => {
    it("shows the options of contextual in the configured order", async () => {
        assert.deepEqual(await menuWith(["view", "claude", "copy", "download-pdf", "chatgpt", "devin-desktop"]), [
            ["View as Markdown", "start.md"],
            ["Claude: Ask about this page", `https://claude.ai/new?q=${question}`],
            ["Copy page", ""],
            ["Save as PDF", ""],
            ["ChatGPT: Ask about this page", `https://chatgpt.com/?hints=search&q=${question}`],
            ["Devin Desktop: Ask about this page", `devin://cascade?prompt=${question}`],
        ]);
    });

    it("is missing if the setting is missing or lists no options", async () => {
        await withExport({ "a.md": "# A" }, async ({ read }) => {
            assert.doesNotMatch(await read("a.html"), /page-menu|page-markdown/);
        });
        assert.deepEqual(await menuWith([]), []);
    });

    it("contains the page's Markdown only if the menu offers to copy the page", async () => {
        const markdownIn = (html: string) => /class="page-markdown">(.*?)<\/script>/.exec(html)?.[1];
        await withExport(siteWith({ options: ["view", "copy"] }), async ({ read }) => {
            const json = markdownIn(await read("guides/start.html")) ?? "";
            assert.equal(JSON.parse(json), await read("guides/start.md"));
        });
        await withExport(siteWith({ options: ["view"] }), async ({ read }) => {
            assert.equal(markdownIn(await read("guides/start.html")), undefined);
        });
    });

    it("offers the API document only on the page of an operation", async () => {
        const page = "a/list-pets.html";
        const listed = await menuWith(["download-spec"]);
        assert.deepEqual(listed, []);
        await withExport(siteWith({ options: ["download-spec"] }), async ({ files, read }) => {
            const file = (await files()).find((name) => name.endsWith("list-pets.html")) ?? page;
            assert.deepEqual(menuOf(await read(file)), [
                ["Download the API description", `${"../".repeat(file.split("/").length - 1)}api.json`],
            ]);
            assert.ok((await files()).includes("api.json"));
        });
    });

    it("offers to install the MCP server if the site has one", async () => {
        const options = ["mcp", "add-mcp", "cursor", "vscode"];
        const [mcp, add, cursor, vscode] = await menuWith(options, { answer: true });
        assert.deepEqual(mcp, ["Copy the MCP server’s address", "https://docs.example.com/mcp"]);
        assert.deepEqual(add, ["Copy the MCP install command", "npx add-mcp https://docs.example.com/mcp"]);
        const config = new URL(cursor?.[1] ?? "").searchParams.get("config") ?? "";
        assert.deepEqual(JSON.parse(Buffer.from(config, "base64").toString()), { url: "https://docs.example.com/mcp" });
        const server = JSON.parse(decodeURIComponent(vscode?.[1].split("?")[1] ?? "")) as object;
        assert.deepEqual(server, { name: "Docs", type: "http", url: "https://docs.example.com/mcp" });
    });

    it("supports the site's own links, with the page, its path and the MCP server in the query", async () => {
        const own = {
            title: "Ask <us>",
            description: "In the forum",
            icon: "plus",
            href: {
                base: "https://forum.example.com/new?tag=docs",
                query: [
                    { key: "title", value: "About $path" },
                    { key: "body", value: "$page" },
                    { key: "mcp", value: "$mcp" },
                ],
            },
        };
        const menu = await menuWith([own, { title: "Start", href: "/guides/start" }], { answer: true });
        assert.equal(menu[0]?.[0], "Ask &lt;us&gt;: In the forum");
        const { searchParams } = new URL(menu[0]?.[1] ?? "");
        assert.deepEqual(Object.fromEntries(searchParams), {
            tag: "docs",
            title: "About /guides/start",
            body: "# Start\n\nRun </script> & go.\n\nhttps://docs.example.com/guides/start",
            mcp: "https://docs.example.com/mcp",
        });
        assert.deepEqual(menu[1], ["Start", "start.html"]);
    });

    it("hides options that need a server until the deployment reports the server", async () => {
        const options = [
            "copy",
            "assistant",
            "vscode",
            { title: "X", href: { base: "/", query: [{ key: "m", value: "$mcp" }] } },
        ];
        const isHidden =
            "is hidden until the deployment declares an MCP server, as the chart does with answer.enabled. " +
            "Export with --answer if `static-export answer` serves the site's address";
        assert.deepEqual(await warningsOf(siteWith({ options })), [
            `docs.json:1: the option "vscode" of contextual.options ${isHidden}`,
            `docs.json:1: the option "X" of contextual.options ${isHidden}`,
        ]);
        const needsIn = (html: string) =>
            [...html.matchAll(/data-option="(\w+)"[^>]* data-needs="(\w+)"( hidden)?/g)].map((match) => match.slice(1));
        for (const [answer, hidden] of [
            [false, " hidden"],
            [true, undefined],
        ] as const) {
            await withExport(
                siteWith({ options }),
                async ({ read }) => {
                    assert.deepEqual(needsIn(await read("guides/start.html")), [
                        ["assistant", "aiAssistant", " hidden"],
                        ["vscode", "mcp", hidden],
                        ["custom", "mcp", hidden],
                    ]);
                    const features = answer ? '{"mcp":true}' : "{}";
                    assert.equal(await read("static-export/features.js"), `window.staticExportFeatures=${features};\n`);
                },
                { answer },
            );
        }
    });

    it("hides the option for a PDF until the PDF exists, with a warning", async () => {
        const site = siteWith({ options: ["copy", "download-pdf"] });
        await withExport(site, async ({ read }) => {
            assert.match(await read("guides/start.html"), /data-option="download-pdf" [^>]*data-needs="pdf" hidden>/);
        });
        assert.deepEqual(await warningsOf(site), [
            'docs.json:1: the option "download-pdf" of contextual.options is hidden until `static-export pdf --offer` ' +
                "has printed a PDF of this export",
        ]);
    });

    it("leaves out options that an air-gapped deployment cannot serve, with a warning", async () => {
        const airGapped = { deployment: "air-gapped", answer: true } as const;
        assert.deepEqual(await menuWith(["copy", "claude", "assistant", "mcp"], airGapped), [["Copy page", ""]]);
        assert.deepEqual(await warningsOf(siteWith({ options: ["claude", "assistant", "mcp"] }), airGapped), [
            'docs.json:1: the option "claude" of contextual.options is left out: an air-gapped deployment cannot reach AI tools outside its network',
            'docs.json:1: the option "assistant" of contextual.options is left out: an air-gapped deployment has no assistant',
            'docs.json:1: the option "mcp" of contextual.options is left out: an air-gapped deployment has no MCP server',
        ]);
    });

    it("reports unknown options, incomplete options and dead links", async () => {
        const options = ["copi", { title: "No link" }, { title: "Dead", href: "/nowhere" }];
        assert.deepEqual((await warningsOf(siteWith({ options }))).sort(), [
            "docs.json:1: an option of contextual.options needs a title and a web address as href, so it is left out",
            "docs.json:1: the link /nowhere leads to no page and no file of this site",
            'docs.json:1: the option "copi" of contextual.options is not known: correct its name',
        ]);
    });

    it("does not link to pages that its readers may not read", async () => {
        const site = {
            ...siteWith({ options: ["copy", { title: "Secret", href: "/secret" }] }),
            "secret.md": "---\ngroups: [admin]\n---\n# Secret",
        };
        await withExport(site, async ({ read }) => {
            assert.deepEqual(menuOf(await read("guides/start.html")), [["Copy page", ""]]);
        });
    });
});
