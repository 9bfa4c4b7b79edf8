import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { checkSite } from "../../../dev/quickstart/src/check-site.js";

const sitemap = (...paths: string[]) => paths.map((path) => `<loc>https://docs.example.com${path}</loc>`).join("");

describe("the check of a served site", () => {
    let server: Server;
    let pages: Record<string, string>;
    const check = () =>
        checkSite(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, new AbortController().signal);

    beforeEach(async () => {
        pages = { "/sitemap.xml": sitemap("/", "/start"), "/": "<h1>Welcome</h1>", "/start": "<h1 id=s>Start</h1>" };
        server = createServer((request, response) => {
            const page = pages[request.url!];
            response.writeHead(page === undefined ? 404 : 200).end(page);
        }).listen(0, "127.0.0.1");
        await once(server, "listening");
    });
    afterEach(() => server.close());

    it("counts the pages that return their own content", async () => {
        assert.equal(await check(), 2);
    });

    it("fails if a page is missing", async () => {
        delete pages["/start"];
        await assert.rejects(check(), /\/start answers 404\./);
    });

    it("fails if a page has no heading", async () => {
        pages["/start"] = "<p>nothing</p>";
        await assert.rejects(check(), /\/start .* without a heading/);
    });

    it("fails if a page returns the content of another page", async () => {
        pages["/start"] = pages["/"]!;
        await assert.rejects(check(), /\/start .* answers with the content of \/\./);
    });

    it("fails if a sitemap lacks a page", async () => {
        pages["/sitemap.xml"] = "";
        await assert.rejects(check(), /names no page/);
    });
});
