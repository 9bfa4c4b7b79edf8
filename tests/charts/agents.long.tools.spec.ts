import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { findProgram } from "./support/fetch-pod.js";
import { LiveNginx } from "./support/live-nginx.js";
import { exported, render } from "./support/render-chart.js";

const nginxProgram = await findProgram("nginx");

const files = {
    "healthz.json": '{"status":"ok","version":"v1"}',
    "public/llms.txt": "# Docs",
    "public/index.html": "home as HTML",
    "public/index.md": "home as Markdown",
    "public/guides/start.html": "start as HTML",
    "public/guides/start.md": "start as Markdown",
    "public/folder/index.html": "folder as HTML",
    "public/only.html": "only HTML",
    "public/app.js": "code",
    "public/.well-known/mcp.json": '{"url":"x"}',
    "public/.well-known/mcp/server-card.json": "{}",
};

const chrome = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

describe("documentation-site: pages", function () {
    this.timeout(60_000);
    let nginx: LiveNginx;

    function ask(
        path: string,
        accept?: string,
    ): Promise<{ body: string } & Pick<IncomingMessage, "statusCode" | "headers">> {
        return new Promise((resolve, reject) => {
            const { hostname, port } = new URL(nginx.url("/"));
            const headers = accept === undefined ? {} : { accept };
            get({ hostname, port, path, headers, agent: false }, (response) => {
                const { statusCode, headers: received } = response;
                text(response).then((body) => resolve({ statusCode, headers: received, body }), reject);
            }).once("error", reject);
        });
    }

    async function start(site: Record<string, string>): Promise<void> {
        const configMap = (await render(exported)).get("ConfigMap/docs-documentation-site");
        assert.ok(configMap && nginxProgram);
        nginx = await LiveNginx.start(nginxProgram, configMap, site);
    }

    before(function () {
        if (!nginxProgram) {
            console.log("      skipped: there is no nginx on PATH (Debian: apt-get install nginx-light)");
            this.skip();
        }
    });
    beforeEach(() => start(files));
    afterEach(() => nginx.stop());

    it("are returned as Markdown, at their own address, to programs that request Markdown", async () => {
        const accepted = [
            "text/markdown",
            "TEXT/Markdown",
            "text/markdown;q=0.9",
            "application/json, text/markdown",
            "text/markdown, text/html;q=0.9, */*;q=0.1",
            "text/plain",
            " text/plain , */*",
        ];
        for (const accept of accepted) {
            const { statusCode, headers, body } = await ask("/guides/start", accept);
            assert.deepEqual(
                [accept, statusCode, body, headers["content-type"], headers.vary],
                [accept, 200, "start as Markdown", "text/markdown; charset=utf-8", "Accept"],
            );
        }
        assert.equal((await ask("/", "text/markdown")).body, "home as Markdown");
        assert.equal((await ask("/guides/start.md")).headers["content-type"], "text/markdown; charset=utf-8");
    });

    it("are returned as HTML to all other clients, and to programs if the page has no Markdown", async () => {
        const others = [
            undefined,
            "*/*",
            chrome,
            "text/html, text/markdown;q=0.5",
            "application/json, text/plain, */*",
        ];
        for (const accept of others) {
            const { headers, body } = await ask("/guides/start", accept);
            assert.deepEqual([accept, body, headers.vary], [accept, "start as HTML", "Accept"]);
        }
        assert.equal((await ask("/only", "text/markdown")).body, "only HTML");
        assert.equal((await ask("/folder/", "text/markdown")).body, "folder as HTML");
        assert.equal((await ask("/nowhere", "text/markdown")).statusCode, 404);
        assert.equal((await ask("/app.js", "text/markdown")).headers.vary, undefined);
    });

    it("are returned as HTML if the Accept header is long, excludes Markdown, or names a similar type", async () => {
        const hostile = [
            "text/markdown;q=0",
            "text/markdown; q=0.000, text/html",
            "text/markdownish",
            "xtext/markdown",
            "text/markdown/../../healthz.json",
            `text/markdown,${"a/b,".repeat(1000)}`,
            `${"text/html;".repeat(600)}text/markdown`,
            `${"text/markdown;q=0.".repeat(300)}`,
            "../../healthz",
            ".md",
            "$uri",
            '"',
        ];
        for (const accept of hostile) {
            const { statusCode, body } = await ask("/guides/start", accept);
            assert.deepEqual([accept, statusCode, body], [accept, 200, "start as HTML"]);
        }
    });

    it("link to llms.txt and to their Markdown in headers into which no request address can inject text", async () => {
        const linkOf = async (path: string) => (await ask(path)).headers.link;
        const list = '</llms.txt>; rel="llms-txt"';
        const markdown = (file: string) => `${list}, <${file}>; rel="alternate"; type="text/markdown"`;
        assert.equal(await linkOf("/guides/start"), markdown("/guides/start.md"));
        assert.equal(await linkOf("/guides/start.html?q=1"), markdown("/guides/start.md"));
        assert.equal(await linkOf("/"), markdown("/index.md"));
        assert.equal((await ask("/guides/start")).headers["x-llms-txt"], "/llms.txt");
        for (const path of ["/nowhere", "/app.js", "/llms.txt", "/folder"]) {
            const { headers } = await ask(path);
            assert.deepEqual([path, headers.link, headers["x-llms-txt"]], [path, undefined, undefined]);
        }
        for (const path of ["//guides/start", "/guides/./start", "/guides/start%0d%0ax:y", "/guides/%3e%3bstart"]) {
            const link = String((await ask(path)).headers.link);
            assert.doesNotMatch(link, /<\/\/|[\r\n]|%0d.*x:y/i, path);
        }
    });

    it("link to /.well-known/llms.txt if the site has only that list, and to nothing without a list", async () => {
        await nginx.stop();
        const { "public/llms.txt": _list, ...without } = files;
        await start(without);
        assert.equal((await ask("/guides/start")).headers["x-llms-txt"], undefined);
        assert.equal(
            (await ask("/guides/start")).headers.link,
            '</guides/start.md>; rel="alternate"; type="text/markdown"',
        );
        await nginx.stop();
        await start({ ...without, "public/.well-known/llms.txt": "# Docs" });
        assert.equal((await ask("/guides/start")).headers["x-llms-txt"], "/.well-known/llms.txt");
    });

    it("are accompanied by a description of the MCP server at two well-known addresses", async () => {
        for (const path of ["/.well-known/mcp", "/.well-known/mcp.json"]) {
            const { body, headers } = await ask(path);
            assert.deepEqual([body, headers["content-type"]], ['{"url":"x"}', "application/json; charset=utf-8"]);
        }
        assert.equal((await ask("/.well-known/mcp/server-card.json")).body, "{}");
    });
});
