import assert from "node:assert/strict";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { startCommand } from "../e2e/support/run-command.js";
import { GitServer } from "../service/support/git-server.js";
import { adminApiKey, domain, withFolder, withServiceOver } from "../service/support/running-service.js";
import { copyingExporter } from "../service/support/scripted-exporter.js";
import { exportNow } from "../service/support/start-update.js";
import { root } from "./support/documents.js";

const script = join(root, "examples", "preview-site", "deploy-branch.sh");
const pulumi = `#!/bin/sh\necho "$*" >> "$CALLS"\ncase "$*" in "stack output"*) echo https://served/ ;; esac\n`;

describe("The script deploy-branch.sh of examples/preview-site", () => {
    let server: GitServer;
    beforeEach(async () => {
        server = await GitServer.start();
        await server.commit({ "index.md": "# Main\n" });
        await server.git("checkout", "--quiet", "-b", "feature/keys");
    });
    afterEach(() => server.stop());

    const deploy = (
        branch: string,
        use: (
            outcome: { exitCode: number | null; output: string; calls: string[] },
            exported: () => Promise<string>,
        ) => Promise<void>,
        update?: object,
    ): Promise<void> =>
        withFolder(async (folder) => {
            const sites = { [domain]: `git+${server.url}#main` };
            const options = { sites, previewDomains: { [domain]: "previews.example.com" }, exporter: copyingExporter };
            await withServiceOver(folder, options, async (running) => {
                await writeFile(join(folder, "pulumi"), pulumi);
                await chmod(join(folder, "pulumi"), 0o755);
                if (update !== undefined) {
                    await writeFile(join(folder, "npx"), `#!/bin/sh\necho '${JSON.stringify(update)}'\n`);
                    await chmod(join(folder, "npx"), 0o755);
                }
                const calls = join(folder, "calls");
                await writeFile(calls, "");
                const env = {
                    ...process.env,
                    PATH: `${folder}${delimiter}${process.env["PATH"]}`,
                    CALLS: calls,
                    STATIC_EXPORT_BASE_URL: running.service.url,
                    STATIC_EXPORT_ADMIN_API_KEY: adminApiKey,
                };
                const result = await startCommand("bash", [script, "12", domain, branch], { cwd: root, env }).result;
                const lines = (await readFile(calls, "utf8")).split("\n");
                const [, previewed = ""] = /domain=(\S+)/.exec(lines.join("\n")) ?? [];
                await use({ ...result, calls: lines }, async () => (await exportNow(running, previewed)).text);
            });
        });

    it("deploys the branch under the domain that the service uses, with the commit as the version", async () => {
        const commit = await server.commit({ "index.md": "# Keys\n" });
        await deploy("feature/keys", async ({ exitCode, output, calls }, exported) => {
            assert.equal(exitCode, 0, output);
            assert.match(output, /^https:\/\/served\/$/m);
            assert.match(
                calls.find((call) => call.startsWith("config set-all")) ?? "",
                new RegExp(
                    `domain=feature-keys-[0-9a-f]{10}\\.previews\\.example\\.com --plaintext version=${commit}$`,
                ),
            );
            assert.ok(calls.some((call) => call.startsWith("up --stack pr-12 ")));
            assert.equal(await exported(), "# Keys\n");
        });
    });

    it("says why and deploys nothing if the branch's build skips itself", async () => {
        const summary = "The build skips this commit (exit code 183): the site stays as it is.";
        await deploy(
            "feature/keys",
            ({ exitCode, output, calls }) => {
                assert.equal(exitCode, 0, output);
                assert.equal(output.trim(), summary);
                assert.deepEqual(calls, [""]);
                return Promise.resolve();
            },
            { status: "success", summary, previewUrl: "https://keys.previews.example.com/" },
        );
    });

    it("exits with an error and deploys nothing if the branch cannot be previewed", async () => {
        await deploy("gone", ({ exitCode, output, calls }) => {
            assert.notEqual(exitCode, 0);
            assert.match(output, /Branch gone of .* could not be fetched/);
            assert.deepEqual(calls, [""]);
            return Promise.resolve();
        });
    });
});
