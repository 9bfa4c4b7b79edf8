import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command, withFolder } from "../../cli/support/command.js";
import { postgresPrograms } from "../../service/support/postgres.js";
import { slowExports } from "../../support/slow-exports.js";
import { waitUntil } from "../../wait-until.js";
import { CutNetwork } from "./support/cut-network.js";
import { DatabaseMachines } from "./support/database-machines.js";

const targetMs = 15_000;
const domain = "docs.example.com";
const key = "admin_failover_of_three";
const jobs = "/v1/static-export/jobs";

describe("After the loss of a database's machine, a standby that takes over", function () {
    this.timeout(240_000);

    before(async function () {
        if (postgresPrograms() === undefined || !(await CutNetwork.isPossible())) {
            this.skip();
        }
    });

    for (const [what, address] of [
        ["under the same host name", "byName"],
        ["at the second host of the address", "byHosts"],
    ] as const) {
        it(`${what} is used within 15 seconds, and a job that runs meanwhile ends once`, async () => {
            const machines = await DatabaseMachines.create();
            const running: Command[] = [];
            try {
                await withFolder(async (folder) => {
                    await writeFile(join(folder, "key"), key, { mode: 0o600 });
                    const url = `http://${machines.serviceAddress}:8787`;
                    const run = (command: string, ...args: string[]): Command => {
                        const started = new Command([command, ...args], {
                            cwd: folder,
                            env: { STATIC_EXPORT_DATABASE_URL: machines[address], ...slowExports(20_000) },
                            prefix: machines.commandPrefix,
                        });
                        running.push(started);
                        return started;
                    };
                    const ask = async (method: string, path: string, body?: object) => {
                        const response = await fetch(url + path, {
                            method,
                            headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
                            ...(body && { body: JSON.stringify(body) }),
                        });
                        const answer = (await response.json()) as Record<string, unknown>;
                        return { status: response.status, headers: response.headers, answer };
                    };
                    const { exitCode, stderr } = await run("migrate").exited;
                    assert.equal(exitCode, 0, stderr);
                    const shared = ["--site", `${domain}=docs`, "--data-dir", "data"];
                    const listening = ["--host", "0.0.0.0", "--public-url", url, "--admin-key-file", "key"];
                    await run("serve", ...shared, ...listening).serves();
                    const worker = run("work", ...shared);
                    await worker.prints(/^ {2}data +in \/.*\/data$/m);
                    const { answer } = await ask("POST", jobs, { domain });
                    const jobId = String(answer["jobId"]);
                    await worker.prints(new RegExp(`${jobId} of ${domain} started`));

                    await machines.failOver();
                    const beganMs = performance.now();
                    const statuses = new Set<number>();
                    await waitUntil("a start is accepted", async () => {
                        const { status, headers } = await ask("POST", jobs, { domain, version: "2" });
                        statuses.add(status);
                        assert.equal(headers.get("retry-after"), status === 503 ? "5" : null);
                        return status === 202;
                    });
                    const tookMs = Math.round(performance.now() - beganMs);
                    assert.ok(tookMs < targetMs, `${tookMs} ms`);
                    assert.deepEqual([...statuses].sort(), [202, 503]);
                    const isCompleted = async () =>
                        (await ask("GET", `${jobs}/${jobId}`)).answer["status"] === "completed";
                    await waitUntil("the job is completed", isCompleted);
                    const runs = worker.stdout.match(new RegExp(`${jobId} of ${domain} started`, "g"));
                    assert.equal(runs?.length, 1);
                    if (process.env["SHOW_TIMES"] !== undefined) {
                        console.log(`      accepted a start after ${tookMs} ms`);
                    }
                });
            } finally {
                running.forEach((command) => command.signal("SIGKILL"));
                await Promise.all(running.map((command) => command.exited));
                await machines.remove();
            }
        });
    }
});
