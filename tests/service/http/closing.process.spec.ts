import assert from "node:assert/strict";
import { withService } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";

describe("A service that closes", () => {
    it("answers requests for a while, and closes each connection after its response", async () => {
        await withService({ exporter: copyingExporter, drainMs: 500 }, async ({ service, request }) => {
            const before = await request("GET", "/openapi.json");
            const closed = service.close();
            const after = await request("GET", "/openapi.json");
            await closed;
            assert.deepEqual([before.status, before.headers.get("connection")], [200, "keep-alive"]);
            assert.deepEqual([after.status, after.headers.get("connection")], [200, "close"]);
            await assert.rejects(request("GET", "/openapi.json"), /fetch failed/);
        });
    });
});
