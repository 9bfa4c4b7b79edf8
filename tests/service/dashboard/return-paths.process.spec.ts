import assert from "node:assert/strict";
import { adminApiKey } from "../support/running-service.js";
import { createViewer, makeKey, page, signIn, withDashboard } from "./support/viewer.js";

describe("A person who has not signed in", () => {
    it("arrives at the page of the link after the sign-in", async () => {
        await withDashboard(async (running) => {
            const viewer = createViewer(running);
            const asked = `${page}/jobs?status=failed&cursor=7`;
            const refused = await viewer.get(asked);
            assert.equal(refused.status, 303);
            const signInPage = refused.headers.get("location") ?? "";
            assert.equal(signInPage, `${page}/sign-in?next=${encodeURIComponent("/jobs?status=failed&cursor=7")}`);
            const [, next = ""] = /name="next" value="([^"]+)"/.exec((await viewer.get(signInPage)).text) ?? [];
            const form = { key: adminApiKey, next: next.replaceAll("&amp;", "&") };
            const arrived = await viewer.post(`${page}/sign-in`, form, signInPage);
            assert.equal(arrived.headers.get("location"), asked);
        });
    });

    it("whose session has ended reads after a form that nothing was done, and returns to its page", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const { text } = await viewer.get(`${page}/keys?cursor=3`);
            const [, token = ""] = /name="_csrf" value="([^"]+)"/.exec(text) ?? [];
            viewer.cookies.delete([...viewer.cookies.keys()].find((name) => name.endsWith("session")) ?? "");
            const send = (referer: string) =>
                fetch(`${running.service.url}${page}/keys`, {
                    method: "POST",
                    redirect: "manual",
                    headers: { referer, cookie: [...viewer.cookies].map((pair) => pair.join("=")).join("; ") },
                    body: new URLSearchParams({ _csrf: token, name: "new", scopes: "read" }),
                });
            const location = (await send(`${running.service.url}${page}/keys?cursor=3`)).headers.get("location") ?? "";
            assert.equal(location, `${page}/sign-in?next=${encodeURIComponent("/keys?cursor=3")}&ended=1`);
            assert.match(
                (await viewer.get(location)).text,
                /role="alert">Your session has ended, so nothing was done\./,
            );
            const foreign = await send("https://evil.example/dashboard/keys");
            assert.equal(foreign.headers.get("location"), `${page}/sign-in?ended=1`);
        });
    });

    it("arrives at the first page with a return address that is none, or leads elsewhere", async () => {
        await withDashboard(async (running) => {
            for (const next of [
                ...["//evil.example", "//", "//evil.example:99999", "https://evil.example/", "/\\evil.example"],
                ...["/../../evil", "/sign-out", "x"],
            ]) {
                const form = { key: adminApiKey, next };
                const { headers } = await createViewer(running).post(`${page}/sign-in`, form, `${page}/sign-in`);
                const location = headers.get("location") ?? "";
                assert.ok(["/dashboard/", "/dashboard/evil"].includes(location), `${next}: ${location}`);
            }
        });
    });

    it("sees the sign-in also with a return address that is none", async () => {
        await withDashboard(async (running) => {
            for (const next of ["//", "//evil.example:99999", "//%00"]) {
                const viewer = createViewer(running);
                const { status, text } = await viewer.get(`${page}/sign-in?next=${encodeURIComponent(next)}`);
                assert.equal(status, 200, next);
                assert.match(text, /name="next" value="\/"/);
            }
        });
    });

    it("sees the first page that the key allows", async () => {
        const first = { update: "/sites", agent: "/agent-jobs", keys: "/keys", read: "/sites" };
        await withDashboard(async (running) => {
            for (const [scope, path] of Object.entries(first)) {
                const { secret } = await makeKey(running, { name: `only-${scope}`, scopes: [scope] });
                const viewer = await signIn(running, secret);
                const { headers } = await viewer.get(`${page}/`);
                assert.equal(headers.get("location"), page + path);
                assert.equal((await viewer.get(page + path)).status, 200);
            }
        });
    });
});

describe("A person who has signed in", () => {
    it("comes from the sign-in page to the page that was asked for", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            for (const [asked, location] of [
                ["?next=/jobs?status=failed", "/jobs?status=failed"],
                ["?next=//evil.example", "/"],
                ["?next=/keys&ended=1", "/keys"],
                ["", "/"],
            ]) {
                const { status, headers } = await viewer.get(`${page}/sign-in${asked}`);
                assert.deepEqual([status, headers.get("location")], [303, page + location]);
            }
        });
    });
});
