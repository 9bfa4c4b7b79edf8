import assert from "node:assert/strict";
import { useService } from "../support/running-service.js";

describe("The log of requests", () => {
    const running = useService({});

    it("names the key of each request, and why a request was refused", async () => {
        const { request, requests } = running();
        const { body } = await request("POST", "/v1/keys", { json: { name: "ci", scopes: ["read"] } });
        requests.length = 0;
        const key = String(body["secret"]);
        await request("GET", "/v1/whoami", { key });
        await request("GET", "/v1/keys", { key });
        await request("GET", "/v1/whoami", { key: "unknown" });
        await request("GET", "/v1/static-export/jobs/se_42");
        const { id } = body["key"] as { id: string };
        assert.deepEqual(
            requests.map(({ status, key: name, keyId, error }) => [status, name, keyId, error]),
            [
                [200, "ci", id, undefined],
                [403, undefined, undefined, "Admin API key ci has the scopes read, but this request needs keys."],
                [401, undefined, undefined, "The admin API key is unknown, has expired or was revoked."],
                [404, "of the service", undefined, "There is no static export job se_42."],
            ],
        );
    });
});
