import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Command } from "../../cli/support/command.js";
import { scaled } from "../../scale.js";

/** `npm run test:all` kills the service 10 times. */
const kills = scaled({ short: 4, long: 10 });

const domain = "docs.example.com";
const jobs = "/v1/static-export/jobs";

interface Running {
    command: Command;
    url: string;
}

async function serve(folder: string): Promise<Running> {
    const options = ["--port", "0", "--site", `${domain}=${join(folder, "site")}`, "--data-dir", join(folder, "data")];
    const command = new Command(["serve", ...options], { cwd: folder });
    return { command, url: await command.serves() };
}

async function kill({ command }: Running): Promise<void> {
    command.signal("SIGKILL");
    await command.exited;
}

/** Lists the running export processes of the folder's service. */
function exportProcesses(folder: string): string[] {
    return execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line.includes("export-process-main") && /^\s*\d+\s+1\s/.test(line) && folder !== "");
}

describe(`A service that is killed ${kills} times while it exports`, function () {
    this.timeout(60_000 + kills * 20_000);

    it("loses no job, ends every job, serves only complete bundles, and leaves no process behind", async () => {
        const folder = await mkdtemp(join(tmpdir(), "killed-service-"));
        const jobIds: string[] = [];
        let service: Running | undefined;
        try {
            await mkdir(join(folder, "site"));
            for (let page = 0; page < 150; page += 1) {
                const text = `Some **text** with \`code\`.\n\n\`\`\`ts\nconst page = ${page};\n\`\`\`\n\n`;
                await writeFile(join(folder, "site", `page-${page}.md`), `# Page ${page}\n\n${text.repeat(20)}`);
            }
            const ask = async (method: string, path: string, body?: object) => {
                const key = (await readFile(join(folder, "data", "admin-api-key"), "utf8")).trim();
                const response = await fetch(`${service?.url}${path}`, {
                    method,
                    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
                    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
                });
                return (await response.json()) as Record<string, unknown>;
            };
            for (let run = 0; run < kills; run += 1) {
                service = await serve(folder);
                const { jobId, error } = await ask("POST", jobs, { domain, version: String(run) });
                // A slow machine completes few jobs between the kills, so the queue may be full.
                if (typeof jobId === "string") {
                    jobIds.push(jobId);
                } else {
                    assert.match(String(error), /^Too many static export jobs are waiting/);
                }
                // The kills are spread across the whole duration of a job.
                await delay((run / kills) * 1500);
                await kill(service);
            }
            service = await serve(folder);
            for (const jobId of jobIds) {
                let job = await ask("GET", `${jobs}/${jobId}`);
                for (let poll = 0; poll < 3000 && !["completed", "failed"].includes(String(job["status"])); poll += 1) {
                    await delay(100);
                    job = await ask("GET", `${jobs}/${jobId}`);
                }
                if (job["status"] === "failed") {
                    assert.match(String(job["error"]), /^The service ended 3 times while this job ran,/);
                    continue;
                }
                assert.equal(job["status"], "completed");
                const { bundleUrl, sizeBytes } = await ask("POST", `${jobs}/${jobId}/bundle`);
                const response = await fetch(String(bundleUrl));
                const bytes = Buffer.from(await response.arrayBuffer());
                assert.equal(bytes.length, sizeBytes);
                assert.equal(response.headers.get("etag"), `"${createHash("sha256").update(bytes).digest("hex")}"`);
            }
            assert.deepEqual(await readdir(join(folder, "data", "work")), []);
            // An export process notices within a second that its service has exited.
            for (let poll = 0; poll < 100 && exportProcesses(folder).length > 0; poll += 1) {
                await delay(100);
            }
            assert.deepEqual(exportProcesses(folder), []);
        } finally {
            if (service !== undefined) {
                await kill(service);
            }
            await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
        }
    });
});
