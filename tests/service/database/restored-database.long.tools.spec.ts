import { migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { bin } from "../../cli/support/command.js";
import { codeBlocks } from "../../docs/support/documents.js";
import { bucket as name, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { postgresPrograms, usePostgres } from "../support/postgres.js";
import { withFolder, withServiceOver } from "../support/running-service.js";
import { withWorker } from "../support/running-worker.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";

const run = promisify(execFile);

describe("A database that is backed up during jobs and restored by the commands of the guide, with the same bucket", () => {
    const postgres = usePostgres();
    const s3 = useS3Server();
    const page = codeBlocks("docs/guides/restore-and-regions.md");

    /** Runs the commands of the page, with the database at this address. */
    async function follow(title: string, database: string, cwd: string): Promise<void> {
        const { text } = page.find((block) => block.title === title) ?? assert.fail(title);
        const commands = text.replaceAll("npx --no -- static-export", `${process.execPath} ${bin}`);
        const env = {
            ...process.env,
            PATH: `${postgresPrograms()}:${process.env["PATH"]}`,
            STATIC_EXPORT_DATABASE_URL: database,
        };
        await run("bash", ["-e", "-c", commands], { cwd, env });
    }

    it("lets all jobs continue, and keeps earlier links valid", async () => {
        const database = await postgres().createDatabase();
        await migrateDatabase(database);
        const bucket = { url: `s3://${name}/restored`, endpoint: s3().endpoint };
        await withFolder(async (folder) => {
            const exporter = new ScriptedExporter();
            const unfinished: string[] = [];
            let path = "";
            const earlier = { bucket, exporter, dataDir: join(folder, "earlier") };
            await withWorker(folder, database, earlier, () =>
                withServiceOver(folder, { database, bucket }, async ({ start, reaches, link }) => {
                    const completed = await start();
                    await (await exporter.nth(1)).complete("an archive");
                    await reaches(completed, "completed");
                    path = await link(completed);
                    unfinished.push(await start({ version: "runs" }), await start({ version: "waits" }));
                    await exporter.nth(2);
                    await follow("Back up", database, folder);
                }),
            );
            const restored = await postgres().createDatabase();
            await follow("Restore", restored, folder);
            const later = { bucket, exporter: copyingExporter, dataDir: join(folder, "later"), tickMs: 100 };
            await withWorker(folder, restored, later, () =>
                withServiceOver(folder, { database: restored, bucket }, async ({ service, reaches }) => {
                    for (const jobId of unfinished) {
                        await reaches(jobId, "completed");
                    }
                    assert.equal(await (await fetch(service.url + path)).text(), "an archive");
                }),
            );
        });
    });
});
