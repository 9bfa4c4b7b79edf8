import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adminApiKey, domain, withFolder, withServiceOver } from "../service/support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../service/support/scripted-exporter.js";
import { run } from "./support/command.js";

const other = "other.example.com";

describe("The exports of all domains", () => {
    it("are listed with key, duration and error, and a job with its steps", async () => {
        const exporter = new ScriptedExporter();
        await withFolder((folder) => {
            const sites = { [domain]: join(folder, "site"), [other]: join(folder, "site") };
            return withServiceOver(folder, { sites, exporter }, async ({ service, start, reaches, request }) => {
                const env = { STATIC_EXPORT_BASE_URL: service.url, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey };
                const command = (...args: string[]) => run(tmpdir(), args, env);
                const failed = await start();
                (await exporter.nth(1)).fail(new Error("no page"));
                await reaches(failed, "failed");
                const cancelled = await start({ domain: other, version: "2" });
                await exporter.nth(2);
                await request("DELETE", `/v1/static-export/jobs/${cancelled}`);
                await reaches(cancelled, "failed");

                const rowsOf = async (status: string) => {
                    const { stdout } = await command("history", "--status", status);
                    return stdout.trimEnd().split("\n");
                };
                const [headings, ...rows] = [...(await rowsOf("cancelled")), ...(await rowsOf("failed")).slice(1)];
                assert.match(headings ?? "", /^JOB +STATUS +CREATED +VERSION .* TOOK +KEY +DOMAIN +ERROR$/);
                assert.match(rows[0] ?? "", new RegExp(`^${cancelled} +cancelled .* ${other} +Cancelled by a client`));
                assert.match(rows[1] ?? "", new RegExp(`^${failed} +failed .* \\d+ s +key of the service +${domain} `));
                assert.equal(rows.length, 2);

                const shown = (await command("job", cancelled)).stdout;
                assert.match(shown, /^status +failed \(cancelled\)$/m);
                assert.match(shown, new RegExp(`^domain +${other}\nversion +2\nkey +key of the service$`, "m"));
                assert.match(shown, /^took +queue \d+\.\d s/m);
            });
        });
    });

    it("show what their runs did, on request", async () => {
        await withFolder((folder) =>
            withServiceOver(folder, { exporter: copyingExporter }, async ({ service, start, reaches }) => {
                const env = { STATIC_EXPORT_BASE_URL: service.url, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey };
                const jobId = await start();
                await reaches(jobId, "completed");
                const { stdout } = await run(tmpdir(), ["job", jobId, "--log"], env);
                assert.match(stdout, /^\d{4}-\S+Z \S/m);
            }),
        );
    });
});
