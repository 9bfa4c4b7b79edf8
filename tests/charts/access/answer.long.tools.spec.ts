import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { freePort } from "@pulumi-static-export/toolchain";
import { bin } from "../../cli/support/command.js";
import { exportKeptApart } from "../../e2e/kubernetes/support/private-pages/private-bundle.js";
import { siteWithReaders } from "../../answer/support/answered-site.js";
import { ScriptedEndpoint } from "../../answer/support/scripted-endpoint.js";
import { findProgram } from "../support/fetch-pod.js";
import { exported, podTemplate, render } from "../support/render-chart.js";
import { end } from "./support/sign-in.js";
import { PrivatePod } from "./support/private-pod.js";

const nginxProgram = await findProgram("nginx");

const siteValues = {
    access: { header: { groups: "X-Forwarded-Groups", user: "X-Forwarded-User" } },
    networkPolicy: { ingressFrom: [{ podSelector: { matchLabels: { app: "proxy" } } }] },
};

const valuesWith = (endpoint: string) => ({
    ...siteValues,
    answer: {
        enabled: true,
        image: { repository: "registry.example.com/static-export", tag: "1" },
        assistant: { endpoint, model: "walrus-1", existingSecret: "docs-model", requestsPerMinute: 2 },
    },
});

/** Starts the command of the chart's container, with a different port and folder. */
async function startAnswer(values: object, port: number, site: string) {
    const { initContainers } = podTemplate(await render({ ...exported, ...values })).spec;
    const given = (initContainers.find(({ name }) => name === "answer")?.args ?? []) as string[];
    const args = given.map((arg) => arg.replace("8788", String(port)).replace(/^\/srv\/site$/, site));
    const child = spawn(process.execPath, [bin, ...args], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { PATH: process.env.PATH, STATIC_EXPORT_ASSISTANT_API_KEY: "sk-1" },
    });
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    assert.equal(child.exitCode, null, "the server for programs ended at once");
    return child;
}

describe("documentation-site, with search and MCP for programs behind nginx,", function () {
    this.timeout(60_000);
    let pod: PrivatePod;
    let endpoint: ScriptedEndpoint;
    let server: Awaited<ReturnType<typeof startAnswer>>;

    const readerOf = (...groups: string[]) => ({ "x-forwarded-user": "ann", "x-forwarded-groups": groups.join(",") });

    async function post(path: string, body: object, headers: Record<string, string> = {}) {
        const response = await fetch(pod.address + path, {
            method: "POST",
            headers: { "content-type": "application/json", ...headers },
            body: JSON.stringify(body),
        });
        return { status: response.status, headers: response.headers, text: await response.text() };
    }

    before(async function () {
        if (!nginxProgram) {
            console.log("      skipped: there is no nginx on PATH (Debian: apt-get install nginx-light)");
            this.skip();
        }
        const port = await freePort();
        endpoint = await ScriptedEndpoint.start([
            { calls: "search", with: { query: "narwhal" } },
            { says: "See [A](/only-a) and [B](/only-b)." },
            { calls: "search", with: { query: "narwhal" } },
            { says: "See [A](/only-a) and [B](/only-b)." },
        ]);
        const values = valuesWith(endpoint.address);
        const { archive } = await exportKeptApart(siteWithReaders);
        pod = await PrivatePod.start(nginxProgram, archive, values, { answer: port });
        server = await startAnswer(values, port, pod.site);
    });
    after(async () => {
        endpoint?.stop();
        await (server && end(server));
        await pod?.stop();
    });

    it("answers searches at the site's own address, alongside the site's pages", async () => {
        const { status, text, headers } = await post("/v1/search/docs.example.com", { query: "clams" });
        assert.deepEqual([status, headers.get("cache-control")], [200, "no-store"]);
        assert.match(text, /"path":"guides\/start#next-steps"/);
        assert.equal((await pod.ask("/guides/start")).status, 200);
    });

    it("lists, finds and returns only the pages that each reader or outsider may read", async () => {
        const secrets = { "only-a": /narwhal|Plan A/, "only-b": /beluga|Plan B/, "signed-in": /members/i };
        const readers = [
            { headers: {}, path: "/mcp", mayRead: [] },
            { headers: readerOf("a"), path: "/mcp", mayRead: [] },
            { headers: readerOf("a"), path: "/authed/mcp", mayRead: ["only-a", "signed-in"] },
            { headers: readerOf("b"), path: "/authed/mcp", mayRead: ["only-b", "signed-in"] },
            { headers: readerOf("x"), path: "/authed/mcp", mayRead: ["signed-in"] },
        ];
        for (const { headers, path, mayRead } of readers) {
            const client = new Client({ name: "spec", version: "1" }, { versionNegotiation: { mode: "auto" } });
            const transport = new StreamableHTTPClientTransport(new URL(pod.address + path), {
                requestInit: { headers },
            });
            await client.connect(transport);
            const call = async (name: string, args: object) =>
                JSON.stringify(await client.callTool({ name, arguments: { ...args } }));
            const answers = [await call("list_pages", {})];
            for (const query of ["narwhal", "beluga", "members", "walrus group", "plan"]) {
                answers.push(await call("search", { query }));
                if (path === "/authed/mcp" || mayRead.length === 0) {
                    const asReader = path === "/mcp" ? {} : headers;
                    answers.push((await post("/v1/search/x", { query }, asReader)).text);
                }
            }
            for (const page of Object.keys(secrets)) {
                answers.push((await call("read_page", { path: page })).replaceAll(`no page ${page}`, ""));
            }
            await client.close();
            const all = answers.join("\n");
            for (const [page, secret] of Object.entries(secrets)) {
                assert.equal(secret.test(all), (mayRead as string[]).includes(page), `${page} for ${path}`);
            }
        }
    });

    it("trusts only the proxy's header to identify the reader", async () => {
        const forged = { "x-reader": "yes", "x-reader-groups": "a,b" };
        assert.equal((await post("/v1/search/x", { query: "narwhal" }, forged)).text, "[]");
        assert.equal((await post("/v1/page/x", { path: "only-a" }, forged)).status, 404);
        assert.deepEqual((await post("/authed/mcp", {}, forged)).status, 401);
        const twice = { ...readerOf("x"), "x-forwarded-groups": "x, a" };
        assert.equal((await post("/v1/search/x", { query: "narwhal" }, twice)).text, "[]");
    });

    it("limits the number of questions, and answers each reader only from pages that the reader may read", async () => {
        const messages = [{ role: "user", content: "What is a narwhal?" }];
        const ask = (headers = {}) => post("/v2/assistant/docs.example.com/message", { messages }, headers);
        const ofA = await ask(readerOf("a"));
        assert.equal(ofA.headers.get("content-type"), "text/event-stream");
        assert.match(ofA.text, /"See \[A\]\(\/only-a\) and B\."/);
        assert.doesNotMatch(ofA.text, /only-b/);
        assert.equal(endpoint.asked[0]?.headers.authorization, "Bearer sk-1");
        const ofOutsider = await ask({ "x-forwarded-for": "10.9.9.9" });
        assert.doesNotMatch(ofOutsider.text, /only-|Plan/);
        assert.match(endpoint.toolTexts, /Nothing found/);
        // A new minute may begin between the requests.
        const further = [];
        for (let at = 0; at < 4; at++) {
            further.push((await ask({ "x-forwarded-for": `10.8.8.${at}` })).status);
        }
        assert.ok(further.includes(429), `forged addresses count as one: ${further.join(" ")}`);
    });

    it("hides the access rules from readers", async () => {
        for (const path of ["/access.json", "/access/access.json", "/_private/-reader", "/private/access.json"]) {
            assert.notEqual((await pod.ask(path, { headers: readerOf("a", "b") })).status, 200, path);
        }
    });

    it("closes each connection after its response while draining, and answers 503 after its server's end", async () => {
        assert.equal((await post("/v1/search/x", { query: "clams" })).headers.get("connection"), "keep-alive");
        await pod.markDraining();
        for (const path of ["/v1/search/x", "/mcp", "/authed/mcp"]) {
            const { headers, status } = await post(path, { query: "clams" });
            assert.deepEqual([path, headers.get("connection"), status < 500], [path, "close", true]);
        }
        await end(server);
        const { status, text } = await post("/v1/search/x", { query: "clams" });
        assert.deepEqual(
            [status, JSON.parse(text)],
            [503, { error: "The search for programs does not answer. Try again in a minute." }],
        );
        assert.equal((await pod.ask("/guides/start")).status, 200, "pages need no server");
    });
});
