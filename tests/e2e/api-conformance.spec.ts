import { type CommandError, ensurePythonTool, run, schemathesis } from "@pulumi-static-export/toolchain";
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import which from "which";
import { adminApiKey, withService } from "../service/support/running-service.js";
import { copyingExporter } from "../service/support/scripted-exporter.js";

/** More find more and take longer: 20 take half a minute on an idle machine. */
const examples = process.env["SCHEMATHESIS_EXAMPLES"] ?? "20";

describe("The service, asked by Schemathesis,", function () {
    this.timeout(600_000);

    before(async function () {
        if ((await which("python3", { nothrow: true })) === null) {
            console.log("      skipped: Schemathesis needs Python, and no python3 is on PATH.");
            this.skip();
        }
    });

    it("answers every request that its OpenAPI document suggests, and every wrong one, as the document says", async () => {
        const command = await ensurePythonTool(schemathesis);
        const projects = { docs: { repository: "https://github.com/acme/docs" } };
        // Schemathesis keeps what it found in the folder that it runs in.
        const cwd = await mkdtemp(join(tmpdir(), "schemathesis-"));
        await withService({ exporter: copyingExporter, projects }, async ({ service, start, reaches }) => {
            await reaches(await start(), "completed");
            const document = `${service.url}/openapi.json`;
            const key = ["--header", `Authorization: Bearer ${adminApiKey}`];
            const options = ["--checks", "all", "--max-examples", examples, "--seed", "1", "--no-color"];
            try {
                const report = await run(command, ["run", document, ...key, ...options], {
                    cwd,
                    timeoutMs: 580_000,
                }).catch(reportOfFailure);
                const { paths } = (await (await fetch(document)).json()) as { paths: Record<string, object> };
                const count = Object.values(paths).flatMap((operations) => Object.keys(operations)).length;
                assert.match(report, new RegExp(`Selected: ${count}/${count}\\s+Tested: ${count}\\n`), report);
            } finally {
                await rm(cwd, { recursive: true, force: true });
            }
        });
    });
});

/** Schemathesis writes what it found to its standard output, and its exit code only says that there is something. */
function reportOfFailure(error: unknown): never {
    const { stdout } = ((error as CommandError).cause ?? {}) as { stdout?: string };
    assert.fail(`${(error as Error).message}\n${stdout ?? ""}`);
}
