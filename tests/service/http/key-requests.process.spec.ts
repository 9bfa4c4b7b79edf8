import assert from "node:assert/strict";
import { page, signIn } from "../dashboard/support/viewer.js";
import { adminApiKey, domain, useService } from "../support/running-service.js";

describe("A request for a key", () => {
    const running = useService({});
    const create = (json: object, key = adminApiKey) => running().request("POST", "/v1/keys", { json, key });

    it("is refused with the known names if it has an unknown field, such as a mistyped name", async () => {
        const { status, body } = await create({ name: "ci", scopes: ["read"], domian: "docs.example.com" });
        assert.equal(status, 400);
        assert.match(
            String(body["error"]),
            /^The body has an unknown field "domian"\. Its fields are name, scopes, domains, projects, expiresAt\.$/,
        );
    });

    it("is refused with the known names if it changes nothing, or something unknown", async () => {
        const { body } = await create({ name: "changed", scopes: ["read"] });
        const { id } = body["key"] as { id: string };
        const change = async (json: object) =>
            String((await running().request("PATCH", `/v1/keys/${id}`, { json })).body["error"]);
        assert.match(await change({}), /^The body must have at least one of the fields scopes, domains, projects,/);
        assert.match(await change({ name: "other" }), /^The body has an unknown field "name"\. Its fields are scopes,/);
    });

    it("for no domain and no project creates a key that reaches nothing, and stays so when its scopes change", async () => {
        const { body } = await create({ name: "nothing", scopes: ["read"], domains: [], projects: [] });
        const { id } = body["key"] as { id: string };
        const changed = await running().request("PATCH", `/v1/keys/${id}`, { json: { scopes: ["export", "read"] } });
        assert.deepEqual([changed.body["domains"], changed.body["projects"]], [[], []]);
        const seen = await running().request("POST", "/v1/static-export/jobs", {
            json: { domain },
            key: String(body["secret"]),
        });
        assert.equal(seen.status, 403);
        const viewer = await signIn(running(), adminApiKey);
        const { text } = await viewer.get(`${page}/keys?search=${id}`);
        assert.match(text, /<td data-column="Reach">nothing<\/td>/);
        assert.doesNotMatch(text, /<td data-column="Reach">everything<\/td>/);
    });
});
