import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type FaultyOptions } from "../service/support/faulty-service.js";
import { GitServer } from "../service/support/git-server.js";
import { adminApiKey, domain, withFolder, withServiceOver } from "../service/support/running-service.js";
import { copyingExporter } from "../service/support/scripted-exporter.js";

const run = promisify(execFile);
const workflow = new URL("fixtures/publish-with-curl.sh", import.meta.url);

describe("The public platform's shell workflow, with only the address changed,", () => {
    let server: GitServer;
    beforeEach(async () => {
        server = await GitServer.start();
        await server.commit({ "index.md": "# First\n" });
    });
    afterEach(() => server.stop());

    const publish = async (
        options: Partial<FaultyOptions>,
        use: (outcome: { stdout: string; bundle: string | undefined }) => void,
    ): Promise<void> => {
        const sites = { [domain]: `git+${server.url}#main` };
        await withFolder(async (folder) => {
            await withServiceOver(folder, { sites, exporter: copyingExporter, ...options }, async ({ service }) => {
                const script = (await readFile(workflow, "utf8")).replaceAll("https://api.mintlify.com", service.url);
                await mkdir(join(folder, "bin"));
                await writeFile(join(folder, "bin", "sleep"), "#!/bin/sh\nexec /bin/sleep 0.1\n");
                await chmod(join(folder, "bin", "sleep"), 0o755);
                const env = {
                    PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}`,
                    PROJECT_ID: domain,
                    DOMAIN: domain,
                    API_KEY: adminApiKey,
                };
                const { stdout } = await run("bash", ["-c", script], { cwd: folder, env }).catch(
                    (error: unknown) => error as { stdout: string },
                );
                const bundle = await readFile(join(folder, "bundle.tar.gz"), "utf8").catch(() => undefined);
                use({ stdout, bundle });
            });
        });
    };

    it("publishes the pushed pages and downloads exactly those pages", async () => {
        await server.commit({ "index.md": "# Pushed\n" });
        await publish({}, ({ stdout, bundle }) => {
            assert.equal(stdout, "update: success\nexport: completed\n");
            assert.equal(bundle, "# Pushed\n");
        });
    });

    it("stops when an update fails, and downloads nothing", async () => {
        await publish({ faults: ["publish:fail=the disk is full"] }, ({ stdout, bundle }) => {
            assert.equal(stdout, "update: failure\n");
            assert.equal(bundle, undefined);
        });
    });
});
