import assert from "node:assert/strict";
import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withFolder, withServiceOver } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";

describe("A stored bundle that is damaged", () => {
    const jobs = "/v1/static-export/jobs";
    /** Ways that a disk can damage a file. */
    const damages: Record<string, (file: string) => Promise<void>> = {
        "is shorter": (file) => truncate(file, 5),
        "has the same length, and other bytes": async (file) => {
            const content = await readFile(file);
            content[7] = (content[7] ?? 0) ^ 1;
            await writeFile(file, content);
        },
    };

    for (const [what, damage] of Object.entries(damages)) {
        for (const isServed of [false, true]) {
            const when = isServed ? "after it was served" : "before it was served";
            it(`is rebuilt by its job instead of being served if it ${what}, ${when}`, async () => {
                await withFolder(async (folder) => {
                    await withServiceOver(folder, { exporter: copyingExporter }, async (service) => {
                        const { request, start, reaches, link } = service;
                        const jobId = await start();
                        await reaches(jobId, "completed");
                        const path = await link(jobId);
                        if (isServed) {
                            assert.equal((await request("GET", path, { key: null })).status, 200);
                        }
                        const [name = ""] = await readdir(join(folder, "data", "bundles"));
                        await damage(join(folder, "data", "bundles", name));

                        for (const method of ["HEAD", "GET"]) {
                            assert.equal((await request(method, path, { key: null })).status, 409);
                        }
                        const download = await request("GET", path, { key: null });
                        assert.match(String(download.body["error"]), /^The stored bundle is damaged: POST /);
                        const bundle = await request("POST", `${jobs}/${jobId}/bundle`);
                        assert.equal(bundle.status, 409);
                        assert.match(
                            String(bundle.body["error"]),
                            /and the job runs again: poll it until it is completed\.$/,
                        );
                        await reaches(jobId, "completed");
                        const again = await request("GET", await link(jobId), { key: null });
                        assert.equal(again.text, "# Welcome\n\nHello.\n");
                    });
                });
            });
        }
    }

    it("fails its job if the site has changed since then, because a job must deliver only one content", async () => {
        await withFolder(async (folder) => {
            await withServiceOver(folder, { exporter: copyingExporter }, async ({ request, start, reaches }) => {
                const jobId = await start();
                await reaches(jobId, "completed");
                const [name = ""] = await readdir(join(folder, "data", "bundles"));
                await truncate(join(folder, "data", "bundles", name), 5);
                await writeFile(join(folder, "site", "index.md"), "# Changed\n");
                assert.equal((await request("POST", `${jobs}/${jobId}/bundle`)).status, 409);
                const { error } = await reaches(jobId, "failed");
                assert.equal(error, "The bundle was damaged, and the site has changed since: start a new export.");
            });
        });
    });
});
