import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isLong } from "../scale.js";
import { mistakes } from "./support/mistakes.js";
import { Command, run, withFolder, withServe } from "./support/command.js";

/** Without the long form, one mistake of each ten, from the whole list. */
const chosen = mistakes.filter((_, index) => isLong || index % 10 === 0);

describe("the error message for a mistake on the command line", function () {
    this.timeout(60_000);

    for (const { what, args, message, exitCode: expected = 2, env } of chosen) {
        it(`suggests the next step on stderr, with exit code ${expected}: ${what}`, async () => {
            await withFolder(async (folder) => {
                const { exitCode, stdout, stderr } = await run(folder, args, {
                    STATIC_EXPORT_ADMIN_API_KEY: "admin_0123456789abcdef",
                    ...env,
                });
                assert.match(stderr, message);
                assert.match(stderr, /^error: /);
                assert.doesNotMatch(stderr, /s3cr3t/);
                assert.doesNotMatch(stderr, /^ {4}at /m);
                assert.deepEqual([exitCode, stdout], [expected, ""]);
            });
        });
    }

    it("explains both meanings of a name that is neither a folder nor a job of the service", async () => {
        const server = createServer((_request, response) => {
            response.writeHead(404, { "content-type": "application/json" }).end('{"error":"no such job"}');
        });
        await once(server.listen(0, "127.0.0.1"), "listening");
        try {
            await withFolder(async (folder) => {
                const { port } = server.address() as AddressInfo;
                const args = ["compare", "old", "new", "--base-url", `http://127.0.0.1:${port}`];
                const env = { STATIC_EXPORT_ADMIN_API_KEY: "admin_0123456789abcdef" };
                const { exitCode, stderr } = await run(folder, args, env);
                assert.match(stderr, /^error: There is no folder or archive old here, and no such export job at the/);
                assert.equal(exitCode, 2);
            });
        } finally {
            server.closeAllConnections();
            server.close();
        }
    });

    for (const [what, site, key, message] of [
        [
            "a domain that it does not have",
            "dosc.example.com",
            undefined,
            /The enabled domains are: docs\.example\.com\." .* Check the domain, .* started with a site of this domain \(--site\)\.$/m,
        ],
        [
            "a wrong key",
            "docs.example.com",
            "admin_wrong_0123456789",
            / has expired or was revoked\." \([^)]+\)\. Set --admin-key-file \(or STATIC_EXPORT_ADMIN_API_KEY\) to a key/,
        ],
    ] as const) {
        it(`suggests what to change on a self-hosted service: ${what}`, async () => {
            await withFolder((folder) =>
                withServe(folder, [], async ({ url }) => {
                    const keyFile = join(folder, ".static-export", "admin-api-key");
                    const env = { STATIC_EXPORT_ADMIN_API_KEY: key ?? (await readFile(keyFile, "utf8")).trim() };
                    const args = ["export", "--domain", site, "--output", "site", "--base-url", url];
                    const { exitCode, stderr } = await run(folder, args, env);
                    assert.match(stderr, message);
                    assert.doesNotMatch(stderr, /enterprise plan/);
                    assert.equal(exitCode, 5);
                }),
            );
        });
    }

    it("explains how to install the plugin if a YAML program lacks it", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "Pulumi.yaml"), "name: docs\nruntime: yaml\n");
            const { exitCode, stdout } = await run(folder, ["doctor"], { PATH: folder });
            assert.match(
                stdout,
                /pulumi-resource-static-export is neither on the PATH nor installed\s.*npm run plugin/,
            );
            assert.equal(exitCode, 1);
        });
    });

    it("reports the required version if Node.js is too old", async () => {
        await withFolder(async (folder) => {
            const old = join(folder, "old-node.cjs");
            await writeFile(old, 'Object.defineProperty(process.versions, "node", { value: "20.20.2" });');
            const command = new Command(["doctor"], { cwd: folder, env: { NODE_OPTIONS: `--require ${old}` } });
            const { exitCode, stderr } = await command.exited;
            assert.match(stderr, /^error: static-export needs Node\.js \^22\.13 \|\| >=24, but this is 20\.20\.2\./);
            assert.equal(exitCode, 2);
        });
    });
});
