import { createService } from "@pulumi-static-export/service";
import { freePort } from "@pulumi-static-export/toolchain";
import assert from "node:assert/strict";
import { join } from "node:path";
import { adminApiKey, domain, withFolder } from "../support/running-service.js";
import { createViewer, makeKey, openLink, page, signIn, withDashboard } from "./support/viewer.js";

describe("The sign-in to the dashboard", () => {
    it("signs the operator in with a link that works once", async () => {
        await withDashboard(async (running, log) => {
            const viewer = createViewer(running);
            const speaksOfLink = async () => /open the link/.test((await viewer.get(`${page}/sign-in`)).text);
            assert.equal(await speaksOfLink(), false);
            const link = running.service.createSignInLink() ?? "";
            assert.equal(await speaksOfLink(), true);
            assert.equal((await openLink(viewer, link)).status, 303);
            assert.equal((await viewer.get(`${page}/sites`)).status, 200);
            assert.equal((await openLink(createViewer(running), link)).status, 403);
            viewer.cookies.clear();
            assert.equal(await speaksOfLink(), false);
            assert.ok(log.includes("Key of the service signed in with the link."));
        });
    });

    it("ends a session when its key is revoked, and accepts no changed cookie", async () => {
        await withDashboard(async (running) => {
            const { id, secret } = await makeKey(running, { name: "team", scopes: ["read"], domains: [domain] });
            const viewer = await signIn(running, secret);
            assert.equal((await viewer.get(`${page}/sites`)).status, 200);
            const [content = "", signature] = (viewer.cookies.get("static_export_session") ?? "").split(".");
            assert.ok(!Buffer.from(content, "base64url").toString().includes(secret));
            const forged = Buffer.from(JSON.stringify({ kind: "operator", until: 9e15 })).toString("base64url");
            const stranger = createViewer(running);
            stranger.cookies.set("static_export_session", `${forged}.${signature}`);
            assert.equal((await stranger.get(`${page}/sites`)).status, 303);
            await running.request("DELETE", `/v1/keys/${id}`);
            assert.equal((await viewer.get(`${page}/sites`)).status, 303);
        });
    });

    it("refuses a link after 15 minutes, and says how to sign in instead", async () => {
        let now = Date.now();
        await withDashboard(
            async (running) => {
                const [early, late] = [running.service.createSignInLink(), running.service.createSignInLink()];
                now += 15 * 60_000 - 1;
                assert.equal((await openLink(createViewer(running), early ?? "")).status, 303);
                now += 1;
                const { status, text } = await openLink(createViewer(running), late ?? "");
                assert.equal(status, 403);
                assert.match(text, /has expired\. Sign in with the admin key/);
            },
            { clock: () => now },
        );
    });

    it("ends the live events of a session when its key is revoked", async () => {
        await withDashboard(async (running) => {
            const { id, secret } = await makeKey(running, { name: "team", scopes: ["read"], domains: [domain] });
            const viewer = await signIn(running, secret);
            const cookie = `static_export_session=${viewer.cookies.get("static_export_session")}`;
            const events = await fetch(`${running.service.url}${page}/events`, { headers: { cookie } });
            let text = "";
            for await (const part of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
                if (text === "") {
                    await running.request("DELETE", `/v1/keys/${id}`);
                }
                text += part;
            }
            assert.match(text, /^event: jobs\n/);
            assert.match(text, /event: ended\ndata: \{\}\n\n$/);
        });
    });

    it("sends its cookie only over TLS, and under a name that no other host can set, if the public address says so", async () => {
        await withFolder(async (folder) => {
            const sites = { [domain]: join(folder, "site") };
            const publicUrl = "https://example.com/docs-admin";
            const service = createService({ dataDir: join(folder, "data"), sites, adminApiKey, publicUrl });
            try {
                const port = await freePort("127.0.0.1");
                await service.listen({ port });
                const viewer = createViewer({ service: { url: `http://127.0.0.1:${port}` } });
                const session = await viewer.post(`${page}/sign-in`, { key: adminApiKey }, `${page}/sign-in`);
                assert.match(
                    session.headers.get("set-cookie") ?? "",
                    /^__Host-static_export_session_docs-admin=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
                );
            } finally {
                await service.close();
            }
        });
    });

    for (const [publicUrl, warning] of Object.entries({
        "https://docs-admin.example.com":
            /^The dashboard at docs-admin\.example\.com and the site docs\.example\.com share/,
        "https://docs-admin.example.net": undefined,
    })) {
        it(`is ${warning === undefined ? "not " : ""}reported as close to a site at ${publicUrl}`, async () => {
            await withFolder(async (folder) => {
                const lines: string[] = [];
                const logger = { info: (line: string) => void lines.push(line), error: () => undefined };
                const sites = { [domain]: join(folder, "site") };
                const service = createService({ dataDir: join(folder, "data"), sites, adminApiKey, publicUrl, logger });
                try {
                    await service.listen();
                    const said = lines.filter((line) => line.startsWith("The dashboard at"));
                    assert.equal(said.length, warning === undefined ? 0 : 1);
                    assert.match(said.join(), warning ?? /^$/);
                } finally {
                    await service.close();
                }
            });
        });
    }
});
