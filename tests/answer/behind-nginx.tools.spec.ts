import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@pulumi-static-export/toolchain";
import { findProgram } from "../charts/support/fetch-pod.js";
import { withFolder } from "../exporter/support/site-fixture.js";
import { waitUntil } from "../wait-until.js";
import { withServer } from "./support/answering.js";

const nginxProgram = await findProgram("nginx");
const guide = readFileSync("docs/guides/readers-and-agents.md", "utf8");
const [, locations = ""] = /```nginx title="answer\.conf"\n(.*?)```/s.exec(guide) ?? [];

/** The ways in which a proxy passes the name and the port that the browser asked for. */
const forwarded = {
    "neither the name nor the port": "",
    "the name without the port": "proxy_set_header Host $host;",
    "the name and the port": "proxy_set_header Host $http_host;",
} as const;

/** Starts nginx with the guide's locations in front of a server. @returns its port */
async function withNginx(server: string, setting: string, use: (port: number) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        const port = await freePort();
        const tmp = join(folder, "tmp");
        await mkdir(tmp);
        const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
            (kind) => `${kind}_temp_path ${tmp};`,
        );
        const passed = locations.replace("http://127.0.0.1:8788;", `${server};${setting}`);
        const account = process.getuid?.() === 0 ? "user root;" : "";
        const config = `${account} daemon off; pid ${folder}/pid; error_log stderr; events {}
            http { access_log off; ${temporary.join(" ")} server { listen 127.0.0.1:${port}; ${passed} } }`;
        await writeFile(join(folder, "nginx.conf"), config);
        const nginx = spawn(nginxProgram ?? "", ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
        try {
            await waitUntil("nginx answers", () =>
                fetch(`http://127.0.0.1:${port}/`).then(
                    () => true,
                    () => false,
                ),
            );
            await use(port);
        } finally {
            nginx.kill("SIGTERM");
            await once(nginx, "exit");
        }
    });
}

describe("The answer server behind an ordinary nginx", function () {
    this.timeout(60_000);

    before(function () {
        if (nginxProgram === undefined) {
            console.log("      skipped: there is no nginx on PATH (Debian: apt-get install nginx-light)");
            this.skip();
        }
    });

    for (const [what, setting] of Object.entries(forwarded)) {
        it(`answers its own pages, and refuses others', if nginx passes on ${what}`, async () => {
            const use = async ({ address }: { address: string }) =>
                withNginx(address, setting, async (port) => {
                    const search = async (origin: string | undefined) => {
                        const response = await fetch(`http://127.0.0.1:${port}/v1/search/docs.example.com`, {
                            method: "POST",
                            headers: { "content-type": "application/json", ...(origin !== undefined && { origin }) },
                            body: JSON.stringify({ query: "walrus" }),
                        });
                        const text = await response.text();
                        assert.equal(response.status === 200, text.includes("walrus"), text);
                        return response.status;
                    };
                    assert.equal(await search("https://docs.example.com"), 200);
                    assert.equal(await search("https://docs.example.com:8443"), 200);
                    assert.equal(await search(undefined), 200);
                    assert.equal(await search("https://evil.example"), 403);
                    assert.equal(await search("https://docs.example.com.evil.example"), 403);
                });
            await withServer(use, { domain: "docs.example.com", readerHeaders: undefined });
        });
    }

    it("passes on the addresses of the guide, and nothing else", async () => {
        await withServer(
            ({ address }) =>
                withNginx(address, "", async (port) => {
                    const statusOf = async (path: string) =>
                        (await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST" })).status;
                    assert.deepEqual(
                        await Promise.all(["/livez", "/metrics", "/guides/mcp", "/mcp/other"].map(statusOf)),
                        [404, 404, 404, 404],
                    );
                    assert.equal(await statusOf("/authed/mcp"), 401);
                    assert.notEqual(await statusOf("/mcp"), 404);
                    assert.equal(await statusOf("/mcp/"), await statusOf("/mcp"));
                }),
            { domain: "docs.example.com" },
        );
    });
});
