import assert from "node:assert/strict";
import { createApp } from "../../../service/src/http/app.js";
import { addCommonHeaders } from "../../../service/src/http/common-headers.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { page, signIn } from "../dashboard/support/viewer.js";
import { adminApiKey, withService } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";

describe("Every answer", () => {
    it("forbids browsers to guess its type, and clients to store it, but for bundles", async () => {
        await withService({ exporter: copyingExporter }, async (running) => {
            const { request, start, reaches, link } = running;
            const jobId = await start();
            await reaches(jobId, "completed");
            for (const [method, path, key, cacheControl] of [
                ["POST", `/v1/static-export/jobs/${jobId}/bundle`, adminApiKey, "no-store"],
                ["GET", "/v1/whoami", adminApiKey, "no-store"],
                ["GET", "/v1/keys", null, "no-store"],
                ["GET", "/unknown", null, "no-store"],
                ["GET", "/bundles/se_42.tar.gz", null, "no-store"],
                ["GET", `${page}/sign-in`, null, "no-store"],
                ["GET", await link(jobId), null, "private, no-cache"],
            ] as const) {
                const { headers } = await request(method, path, { key });
                assert.deepEqual(
                    ["x-content-type-options", "cache-control"].map((name) => headers.get(name)),
                    ["nosniff", cacheControl],
                    path,
                );
            }
        });
    });

    it("tells browsers to use TLS for a year if the public URL begins with https", async () => {
        for (const [publicUrl, hsts] of [
            ["https://docs-admin.example.net", "max-age=31536000"],
            ["http://localhost:8787", undefined],
        ] as const) {
            const app = createApp(silentLogger);
            addCommonHeaders(app, () => publicUrl);
            const { headers } = await app.inject("/unknown");
            assert.equal(headers["strict-transport-security"], hsts);
            await app.close();
        }
    });

    it("refuses what cannot be stored or read in words of the request", async () => {
        await withService({ exporter: copyingExporter }, async (running) => {
            for (const list of ["static-export/jobs", "keys"]) {
                const { status, body } = await running.request("GET", `/v1/${list}?search=%00`);
                const error = "The request contains the character NUL, which cannot be stored or found.";
                assert.deepEqual([status, body], [400, { error }], list);
            }
            const leap = "2030-12-31T23:59:60Z";
            const listed = await running.request("GET", `/v1/static-export/jobs?since=${leap}`);
            assert.match(String(listed.body["error"]), /^since must be the time from which jobs were started/);
            const json = { name: "leap", scopes: ["read"], expiresAt: leap };
            const { status, body } = await running.request("POST", "/v1/keys", { json });
            assert.equal(status, 400);
            assert.match(String(body["error"]), /^expiresAt must be a time in the future/);
            assert.equal((await (await signIn(running, adminApiKey)).get(`${page}/keys?search=%00`)).status, 400);
        });
    });
});
