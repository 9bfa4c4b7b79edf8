import { createService, migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { join } from "node:path";
import { bucket, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { waitUntil } from "../../wait-until.js";
import { usePostgres } from "../support/postgres.js";
import { adminApiKey, domain, withFolder, withServiceOver } from "../support/running-service.js";
import { createViewer, page, signIn } from "./support/viewer.js";

describe("The dashboard without its database", () => {
    const server = usePostgres();

    it("says since when, tries again without scripts, and takes a form that is sent again as soon as the database is back", async () => {
        const database = await server().createDatabase();
        await migrateDatabase(database);
        await withFolder(async (folder) => {
            const sites = { [domain]: join(folder, "site") };
            const service = createService({ dataDir: join(folder, "data"), sites, adminApiKey, database });
            await service.listen();
            try {
                const viewer = createViewer({ service });
                await viewer.post(`${page}/sign-in`, { key: adminApiKey }, `${page}/sign-in`);
                const sites = await viewer.get(`${page}/sites`);
                assert.equal(sites.status, 200, sites.text);
                const [, token = ""] = /name="_csrf" value="([^"]+)"/.exec(sites.text) ?? [];
                const body = new URLSearchParams({ _csrf: token, request: "one-click", name: "ci", scopes: "read" });
                const cookie = [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
                const send = () =>
                    fetch(`${service.url}${page}/keys`, {
                        ...{ method: "POST", headers: { cookie }, body, redirect: "manual" },
                    });
                await server().kill();
                const away = await waitUntil("the page notices", async () => {
                    const { status, text } = await viewer.get(`${page}/jobs`);
                    return status === 503 ? text : undefined;
                });
                assert.match(
                    away,
                    /The service&#39;s database cannot be reached|The service's database cannot be reached/,
                );
                assert.match(away, /<meta http-equiv="refresh" content="5"/);
                const [, since] = /<time dateTime="([^"]+)"|<time datetime="([^"]+)"/i.exec(away) ?? [];
                assert.ok(since, away);
                assert.ok((await viewer.get(`${page}/jobs`)).text.includes(since));
                const refused = await send();
                assert.equal(refused.status, 503);
                const advice = await refused.text();
                assert.match(
                    advice,
                    /Reload this page in a moment to send the form again, with everything that you typed/,
                );
                assert.doesNotMatch(advice, /http-equiv="refresh"|Admin API key/);
                await server().resume();
                await waitUntil("the page is back", async () =>
                    (await viewer.get(`${page}/jobs`)).status === 200 ? true : undefined,
                );
                assert.equal((await send()).headers.get("location"), `${page}/keys/created`);
            } finally {
                await service.close();
            }
        });
    });
});

describe("The dashboard without the storage", () => {
    const postgres = usePostgres();
    const s3 = useS3Server();

    it("still shows sites and jobs, and Health names the storage until it is back", async () => {
        const database = await postgres().createDatabase();
        await migrateDatabase(database);
        const options = { database, bucket: { url: `s3://${bucket}/docs`, endpoint: s3().endpoint } };
        await withFolder((folder) =>
            withServiceOver(folder, options, async (running) => {
                const jobId = await running.start();
                const viewer = await signIn(running, adminApiKey);
                await s3().kill();
                for (const path of ["/sites", "/jobs", `/jobs/${jobId}`]) {
                    assert.equal((await viewer.get(page + path)).status, 200, path);
                }
                const health = async () => (await viewer.get(`${page}/health`)).text;
                await waitUntil("Health names the storage", async () =>
                    /storage: /.test(await health()) ? true : undefined,
                );
                await s3().resume();
                await waitUntil("the storage is back", async () =>
                    /storage: /.test(await health()) ? undefined : true,
                );
            }),
        );
    });
});
