import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createService } from "@pulumi-static-export/service";
import { adminApiKey, domain, withFolder, withServiceOver } from "../support/running-service.js";

const mebibyte = 1024 * 1024;

/** A file system of its own, so small that it fills up. Only root can have one. */
async function withSmallDisk(folder: string, use: () => Promise<void>): Promise<void> {
    await mkdir(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", folder]);
    try {
        await use();
    } finally {
        execFileSync("umount", ["--lazy", folder]);
    }
}

describe("A data folder on a disk that is really full", function () {
    this.timeout(60_000);

    before(function () {
        if (process.platform !== "linux" || process.getuid?.() !== 0) {
            console.log("      skipped: a small disk needs Linux and root.");
            this.skip();
        }
    });

    it("fails the job that does not fit, keeps answering, and runs the next job when there is room", async () => {
        await withFolder(async (folder) => {
            await withSmallDisk(join(folder, "data"), async () => {
                const large = join(folder, "site", "film.mp4");
                await writeFile(large, randomBytes(16 * mebibyte));
                await writeFile(join(folder, "site", "index.md"), "# Welcome\n\n[film](film.mp4)\n");
                await withServiceOver(folder, {}, async ({ start, reaches, request }) => {
                    const failed = await start();
                    const { error } = await reaches(failed, "failed");
                    assert.match(String(error), /disk|space/i);
                    assert.doesNotMatch(String(error), new RegExp(folder), "a path of the host was shown");

                    await rm(large);
                    await writeFile(join(folder, "site", "index.md"), "# Welcome\n");
                    const next = await start();
                    await reaches(next, "completed");
                    assert.equal((await request("POST", `/v1/static-export/jobs/${next}/bundle`)).status, 200);
                    assert.equal((await request("GET", `/v1/static-export/jobs/${failed}`)).body["status"], "failed");
                });
            });
        });
    });
});

describe("A damaged database", () => {
    it("is refused at start, with what to do about it", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "data"));
            await writeFile(join(folder, "data", "service.sqlite"), "no database ".repeat(1000));
            const service = () =>
                createService({
                    dataDir: join(folder, "data"),
                    sites: { [domain]: join(folder, "site") },
                    adminApiKey,
                });
            assert.throws(
                service,
                /service\.sqlite .* is damaged \(its structure cannot be read\): put a copy from before in its place, or/,
            );
        });
    });
});
