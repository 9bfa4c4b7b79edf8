import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { launchChromium } from "./chromium.js";
import { withExport, type Files } from "../support/site-fixture.js";

const page = "api-reference/pets/change-a-pet.html";

function siteOf(server: string, api: object = {}, metadata: object = {}): Files {
    const document = {
        openapi: "3.1.0",
        info: { title: "Pets", version: "1" },
        servers: [{ url: server }],
        security: [{ key: [] }],
        paths: {
            "/pets/{id}": {
                put: {
                    tags: ["Pets"],
                    summary: "Change a pet",
                    "x-mint": { metadata },
                    parameters: [
                        { name: "id", in: "path", required: true, schema: { type: "string" } },
                        { name: "full", in: "query", schema: { type: "boolean" } },
                        { name: "session", in: "cookie", schema: { type: "string" } },
                    ],
                    requestBody: { content: { "application/json": { example: { name: "Rex" } } } },
                    responses: { 200: { description: "Changed" } },
                },
            },
        },
        webhooks: { adopted: { post: { summary: "A pet was adopted", responses: {} } } },
        components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    };
    return {
        "index.md": "# Home",
        "openapi.json": JSON.stringify(document),
        "docs.json": JSON.stringify({
            api,
            navigation: {
                groups: [
                    { group: "Start", pages: ["index"] },
                    { group: "API", openapi: "openapi.json" },
                ],
            },
        }),
    };
}

/** The parts of the document that specs change. */

interface Received {
    readonly method: string | undefined;
    readonly url: string | undefined;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
}

async function withApi(use: (address: string, received: Received[]) => Promise<void>): Promise<void> {
    const received: Received[] = [];
    const server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
            const { method, url, headers } = request;
            response.setHeader("Access-Control-Allow-Origin", "*");
            response.setHeader("Access-Control-Allow-Headers", "authorization, content-type");
            response.setHeader("Access-Control-Allow-Methods", "PUT");
            if (method !== "OPTIONS") {
                received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
                response.statusCode = 202;
            }
            response.end(method === "OPTIONS" ? "" : '{"name":"<b>Rex</b>"}');
        });
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    try {
        await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, received);
    } finally {
        server.closeAllConnections();
        server.close();
    }
}

describe("Try it", function () {
    this.timeout(60_000);

    it("sends the reader's values to the API directly, and shows the response as text", async function () {
        await withApi(async (address, received) => {
            await withExport(siteOf(address), async (site) => {
                const browser = await launchChromium(this);
                try {
                    const view = await browser.newPage();
                    await view.goto(pathToFileURL(`${site.outDir}/${page}`).href);
                    await view.getByRole("button", { name: "Try it" }).click();
                    await view.getByLabel(/^Authorization/).fill("key-1");
                    await view.getByRole("button", { name: "Send" }).click();
                    assert.deepEqual(received, [], "a required field is empty");
                    await view.getByLabel(/^id/).fill("a/b");
                    await view.getByLabel(/^full/).selectOption("true");
                    await view.getByRole("button", { name: "Send" }).click();
                    await view.getByText(/^202 Accepted in/).waitFor();
                    assert.equal(await view.locator(".try-it pre").textContent(), '{\n  "name": "<b>Rex</b>"\n}');
                    assert.equal(await view.evaluate("localStorage.length"), 0);
                    await view.getByLabel(/^Server/).fill("http://127.0.0.1:9");
                    await view.getByRole("button", { name: "Send" }).click();
                    await view.getByText(/There is no answer to read/).waitFor();
                } finally {
                    await browser.close();
                }
            });
            assert.equal(received.length, 1);
            const [{ method, url, headers, body } = {} as Received] = received;
            assert.deepEqual([method, url, body], ["PUT", "/pets/a%2Fb?full=true", '{\n  "name": "Rex"\n}']);
            assert.equal(headers.authorization, "Bearer key-1");
            assert.equal(headers["content-type"], "application/json");
        });
    });

    it("sends nothing until readers enter a server that neither the document nor the page's address names", async function () {
        for (const servers of [[], [{ url: "/v1" }]]) {
            const site = siteOf("");
            const document = { ...(JSON.parse(site["openapi.json"] ?? "") as object), servers };
            await withExport({ ...site, "openapi.json": JSON.stringify(document) }, async ({ outDir, read }) => {
                assert.doesNotMatch(await read(page), /api\.example\.com/);
                const browser = await launchChromium(this);
                try {
                    const view = await browser.newPage();
                    await view.goto(pathToFileURL(`${outDir}/${page}`).href);
                    await view.getByRole("button", { name: "Try it" }).click();
                    await view.getByLabel(/^id/).fill("1");
                    assert.equal(await view.getByLabel(/^Server/).inputValue(), "");
                    await view.getByRole("button", { name: "Send" }).click();
                    assert.equal(await view.locator(".try-it form:invalid").count(), 1);
                    assert.equal(await view.locator(".try-it-status").textContent(), "");
                } finally {
                    await browser.close();
                }
            });
        }
    });

    it("sends the reader's cookies if an operation or the settings require them", async () => {
        const requestIn = async (files: Files) => {
            let request = "";
            await withExport(files, async ({ read }) => {
                request = /data-request="([^"]*)"/.exec(await read(page))?.[1] ?? "";
            });
            return request;
        };
        const site = siteOf("https://api.example.com");
        assert.doesNotMatch(await requestIn(site), /sendsCookies/);
        const needed = (site["openapi.json"] ?? "").replace('"in":"cookie"', '"in":"cookie","required":true');
        assert.match(await requestIn({ ...site, "openapi.json": needed }), /sendsCookies&quot;:true/);
        const ofSite = siteOf("https://api.example.com", { playground: { credentials: true } });
        assert.match(await requestIn(ofSite), /sendsCookies&quot;:true/);
    });

    it("wraps long cURL commands", async () => {
        await withExport(siteOf("https://api.example.com"), async ({ read }) => {
            assert.match(await read(page), /<div class="code wrap" data-title="cURL">/);
        });
    });

    it("is shown only on operation pages, and the site can turn it off", async () => {
        await withExport(siteOf("https://api.example.com"), async (site) => {
            assert.match(await site.read(page), /class="try-it"[^>]*data-request/);
            assert.match(await site.read(page), /<script src="[^"]*try-it\.[\da-f]{8}\.js" defer>/);
            for (const other of ["index.html", "api-reference/a-pet-was-adopted.html"]) {
                assert.doesNotMatch(await site.read(other), /try-it/);
            }
        });
    });

    it("is left out if the site or the page hides it, or limits it to certain readers", async () => {
        for (const display of ["none", "simple", "auth"]) {
            const ofSite = siteOf("https://api.example.com", { playground: { display } });
            const ofPage = siteOf("https://api.example.com", {}, { playground: display });
            for (const files of [ofSite, ofPage]) {
                await withExport(files, async (site) => assert.doesNotMatch(await site.read(page), /try-it/));
            }
        }
    });

    it("is left out of an air-gapped export, as is the search", async () => {
        const theme = async (outDir: string) => {
            const files = (await readdir(`${outDir}/static-export`)).filter(
                (file) => !/^(?:THIRD-PARTY|pages-)/.test(file),
            );
            return files.map((file) => file.replace(/\..*/, "")).sort();
        };
        const site = siteOf("https://api.example.com");
        await withExport(site, async ({ outDir }) => {
            const all = ["assistant", "assistant", "bundle", "features", "search", "search", "site", "site", "try-it"];
            assert.deepEqual(await theme(outDir), all);
        });
        await withExport(
            site,
            async ({ outDir, read }) => {
                assert.deepEqual(await theme(outDir), ["bundle", "site", "site"]);
                assert.doesNotMatch(await read(page), /try-it|search/i);
            },
            { deployment: "air-gapped" },
        );
    });
});
