import assert from "node:assert/strict";
import { adminApiKey } from "../support/running-service.js";
import { makeKey, page, signIn, withDashboard } from "./support/viewer.js";

describe("An expired key", () => {
    it("can be revoked on the dashboard, so that its name is free again", async () => {
        let now = Date.now();
        await withDashboard(
            async (running) => {
                const expiresAt = new Date(now + 10_000).toISOString();
                const wanted = { name: "ci", scopes: ["read"] };
                const { id } = await makeKey(running, { ...wanted, expiresAt });
                now += 20_000;
                const refused = await running.request("POST", "/v1/keys", { json: wanted });
                assert.match(refused.text, /Key ci already exists: revoke it/);
                const viewer = await signIn(running, adminApiKey);
                const { text } = await viewer.get(`${page}/keys`);
                assert.match(text, /<span class="status expired">expired<\/span>/);
                assert.doesNotMatch(text, new RegExp(`${id}/(?:change|rotate)`));
                const [, revoke = ""] = /href="([^"]+)" aria-label="Revoke ci"/.exec(text) ?? [];
                assert.match((await viewer.get(revoke)).text, /Revoke key ci\?/);
                assert.equal((await viewer.post(revoke, {}, revoke)).status, 303);
                await makeKey(running, wanted);
            },
            { clock: () => now },
        );
    });
});
