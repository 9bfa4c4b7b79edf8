import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { migrateDatabase } from "@pulumi-static-export/service";
import { ensureDebianPackages, freePort } from "@pulumi-static-export/toolchain";
import { Command, withFolder } from "../../cli/support/command.js";
import { call, completes, jobs, start } from "../../cli/support/jobs.js";
import { usePostgres } from "../support/postgres.js";

const key = "a-key-for-the-operators";

/** The dynamic linker replaces $LIB. */
const ahead = {
    LD_PRELOAD: "/usr/$LIB/faketime/libfaketime.so.1",
    FAKETIME: "+100d",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
};

describe("A worker on a machine whose clock is 100 days ahead", function () {
    this.timeout(120_000);
    const server = usePostgres();
    before(() => ensureDebianPackages(["faketime"]));

    it("runs jobs with the right times, and says that it is not ready", async () => {
        const url = await server().createDatabase();
        await migrateDatabase(url);
        await withFolder(async (folder) => {
            await writeFile(join(folder, "key"), key, { mode: 0o600 });
            const health = `127.0.0.1:${await freePort()}`;
            const shared = ["--site", "docs.example.com=docs", "--data-dir", "data"];
            const settings = { cwd: folder, env: { STATIC_EXPORT_DATABASE_URL: url } };
            const service = new Command(["serve", ...shared, "--port", "0", "--admin-key-file", "key"], settings);
            const worker = new Command(["work", ...shared, "--health", health], {
                cwd: folder,
                env: { ...settings.env, ...ahead },
            });
            try {
                const address = await service.serves();
                const jobId = await start({ url: address }, key);
                await completes(address, key, jobId);
                const { updatedAt } = await call(address, key, "GET", `${jobs}/${String(jobId)}`);
                assert.ok(Math.abs(Date.parse(String(updatedAt)) - Date.now()) < 60_000, String(updatedAt));
                await worker.prints(/This process is not ready, and does not remove old data: the clock/, "stderr");
                const ready = await fetch(`http://${health}/readyz`);
                assert.equal(ready.status, 503);
                assert.match(await ready.text(), /the clock of this machine is \d+ s ahead of the database's/);
                const metrics = await (await fetch(`http://${health}/metrics`)).text();
                assert.match(metrics, /^static_export_clock_offset_seconds -86(?:39|40)\d{3}/m);
            } finally {
                worker.signal("SIGTERM");
                service.signal("SIGTERM");
                await Promise.all([worker.exited, service.exited]);
            }
        });
    });
});
