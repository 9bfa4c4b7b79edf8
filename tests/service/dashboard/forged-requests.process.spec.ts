import assert from "node:assert/strict";
import { adminApiKey, domain } from "../support/running-service.js";
import { createViewer, openLink, page, signIn, withDashboard } from "./support/viewer.js";

/** The forms of the dashboard, each with what it changes. */
const forms = {
    [`/sites/${domain}/export`]: {},
    [`/sites/${domain}/update`]: {},
    "/agent-jobs": { project: "docs", prompt: "Publish my page." },
    "/keys": { name: "mine", scopes: "keys", days: "" },
    "/jobs/se_1/cancel": {},
    "/keys/ak_1/rotate": {},
    "/keys/ak_1/revoke": {},
    "/sign-out": {},
    "/sign-in": { key: adminApiKey },
};

describe("A form of another page, sent with the session's cookie and a valid token", () => {
    const foreign = {
        "another host of the same domain": { "sec-fetch-site": "same-site" },
        "another port of this machine": { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:1" },
        "another site": { "sec-fetch-site": "cross-site" },
        "a browser without Sec-Fetch-Site": { origin: "https://docs.example.com" },
        "a sandboxed page": { origin: "null" },
    };
    for (const [from, headers] of Object.entries(foreign)) {
        it(`does nothing if it comes from ${from}`, async () => {
            await withDashboard(async (running) => {
                const viewer = await signIn(running, adminApiKey);
                for (const [path, form] of Object.entries(forms)) {
                    const { status, text } = await viewer.post(page + path, form, `${page}/sites`, headers);
                    assert.equal(status, 403, `${path}: ${text}`);
                    assert.match(text, /sent from another site, so nothing was done/);
                }
                assert.equal((await viewer.get(`${page}/sites`)).status, 200);
                const { body } = await running.request("GET", "/v1/keys");
                assert.deepEqual(body["keys"], []);
                assert.deepEqual((await running.request("GET", "/v1/static-export/jobs")).body["jobs"], []);
            });
        });
    }

    it("is accepted if it comes from the dashboard itself", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            for (const headers of [{ "sec-fetch-site": "same-origin" }, { origin: running.service.url }]) {
                const { status } = await viewer.post(`${page}/sites/${domain}/export`, {}, `${page}/sites`, headers);
                assert.equal(status, 303);
            }
        });
    });

    it("does nothing with the token of another session, even if somebody has set that session's cookies", async () => {
        await withDashboard(async (running) => {
            const [victim, thief] = [await signIn(running, adminApiKey), await signIn(running, adminApiKey)];
            const [, token = ""] = /name="_csrf" value="([^"]+)"/.exec((await thief.get(`${page}/sites`)).text) ?? [];
            const { status, text } = await victim.post(`${page}/sites/${domain}/export`, { _csrf: token });
            assert.equal(status, 403);
            assert.match(text, /belongs to another session/);
        });
    });
});

describe("The link that signs the operator in", () => {
    it("still works after programs have followed it", async () => {
        await withDashboard(async (running) => {
            const link = running.service.createSignInLink() ?? "";
            for (const method of ["GET", "HEAD", "GET"]) {
                const response = await fetch(link, { method });
                assert.equal(response.status, 200);
                assert.deepEqual(response.headers.getSetCookie(), []);
            }
            const viewer = createViewer(running);
            assert.equal((await openLink(viewer, link)).status, 303);
            assert.equal((await viewer.get(`${page}/sites`)).status, 200);
        });
    });
});
