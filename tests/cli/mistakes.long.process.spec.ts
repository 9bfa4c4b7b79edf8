import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Command, run, withFolder, withServe } from "./support/command.js";

interface Mistake {
    readonly what: string;
    readonly args: readonly string[];
    readonly message: RegExp;
}

const exportSite = ["export", "--domain", "docs.example.com", "--output", "site"];
const ownService = ["--base-url", "http://127.0.0.1:9"];

const mistakes: readonly Mistake[] = [
    {
        what: "a command that does not exist",
        args: ["exprot"],
        message: /unknown command 'exprot'\n\(Did you mean export\?\)/,
    },
    {
        what: "an option that does not exist",
        args: ["doctor", "--stak", "dev"],
        message: /unknown option '--stak'\n\(Did you mean --stack\?\)/,
    },
    {
        what: "a key file that does not exist, for a request to a service",
        args: [...exportSite, ...ownService, "--admin-key-file", "nokey"],
        message: /The admin key file nokey does not exist\. Write the service's admin API key into it, or set STATIC_/,
    },
    {
        what: "an address without a scheme",
        args: [...exportSite, "--base-url", "localhost:8080"],
        message:
            /--base-url \(or STATIC_EXPORT_BASE_URL\) must be an address such as http:\/\/localhost:8787, with http:\/\/\./,
    },
    {
        what: "a list of keys without an address",
        args: ["key", "list"],
        message: /No address of the service is set: pass --base-url, or set STATIC_EXPORT_BASE_URL\./,
    },
    {
        what: "a migration without a database",
        args: ["migrate"],
        message: /no database: give --database or set STATIC_EXPORT_DATABASE_URL/,
    },
    {
        what: "a comparison with a folder that does not exist",
        args: ["compare", "old", "new"],
        message: /There is no folder or archive old here\. To use an export job of a service: /,
    },
    {
        what: "a comparison with an archive that does not exist",
        args: ["compare", "old.tar.gz", "new.tar.gz"],
        message: /There is no folder or archive old\.tar\.gz\./,
    },
    {
        what: "a build of a folder that does not exist",
        args: ["build", "dosc"],
        message: /There is no folder .*dosc\./,
    },
    {
        what: "an export without the address of a service",
        args: exportSite,
        message: /No address of the service is set: pass --base-url, or set STATIC_EXPORT_BASE_URL\./,
    },
    {
        what: "a shell that has no completion",
        args: ["completion", "csh"],
        message: /Allowed choices are bash, zsh, fish/,
    },
    {
        what: "a redaction of a state that does not exist",
        args: ["redact-state", "state.json", "--out", "redacted"],
        message: /state\.json/,
    },
    {
        what: "http to another machine",
        args: [...exportSite, "--base-url", "http://api.example.com"],
        message: /must begin with https:\/\/: .* would send the admin API key unencrypted/,
    },
    {
        what: "a key file that others can read",
        args: [...exportSite, ...ownService, "--admin-key-file", "docs/index.md"],
        message: /Every user of this machine can read the admin key file docs\/index\.md: run chmod 600/,
    },
    {
        what: "an export into a folder with files",
        args: ["export", "--domain", "docs.example.com", "--output", "docs", ...ownService],
        message: /The folder docs is not empty: choose another --output/,
    },
    {
        what: "a site to serve without its folder",
        args: ["serve", "--site", "docs.example.com"],
        message: /argument 'docs\.example\.com' is invalid\. Write it as docs\.example\.com=\.\/docs\./,
    },
    {
        what: "a site to serve from a folder that does not exist",
        args: ["serve", "--site", "docs.example.com=dosc"],
        message: /Site docs\.example\.com: there is no folder .*dosc\./,
    },
    {
        what: "a bucket without s3://",
        args: ["publish", "docs", "--to", "docs-bucket"],
        message:
            /"docs-bucket" is not a place for a site: pass s3:\/\/BUCKET\/PREFIX, az:\/\/CONTAINER\/PREFIX or file:\/\/\/srv\/docs\./,
    },
    {
        what: "the name of a bucket that is too short",
        args: ["publish", "docs", "--to", "s3://ab/docs"],
        message:
            /s3:\/\/ab\/docs: the name of a bucket has 3 to 63 characters: lower-case letters, digits, "\." and "-"\./,
    },
    {
        what: "neither a site nor a release to publish",
        args: ["publish", "--to", "file://docs"],
        message: /Name one: a site to publish, or with --to-release an earlier release\./,
    },
    {
        what: "an output below a file",
        args: ["build", "docs", "--output", "docs/index.md/site"],
        message:
            /docs\/index\.md\/site cannot be used \(ENOTDIR\): a part of the path is a file: choose another place\./,
    },
    {
        what: "a file of warnings in a folder that does not exist",
        args: ["build", "docs", "--warnings", "none/warnings.json"],
        message: /--warnings none\/warnings\.json: there is no folder .*none\./,
    },
    {
        what: "a project below a file",
        args: ["init", "--domain", "docs.example.com", "docs/index.md/project"],
        message: /docs\/index\.md\/project cannot be used \(ENOTDIR\)/,
    },
    {
        what: "a data folder that cannot be created",
        args: ["serve", "--site", "docs.example.com=docs", "--data-dir", "/proc/none/data"],
        message: /Data folder \/proc\/none\/data cannot be written \(ENOENT\): choose another one/,
    },
    {
        what: "a comment for an unknown stack",
        args: ["preview", "--comment", "github"],
        message: /--comment needs --stack/,
    },
    {
        what: "a report on an event log that does not exist",
        args: ["preview-report", "events.log"],
        message: /The event log events\.log cannot be read \(ENOENT\)\. Record one with `PULUMI_/,
    },
    {
        what: "a site to search that is not exported yet",
        args: ["answer", "docs"],
        message: /docs: This is not an exported site/,
    },
    {
        what: "a missing option",
        args: ["agent-job", "create"],
        message: /required option '--project <id>' not specified/,
    },
];

describe("the error message for a mistake on the command line", function () {
    this.timeout(60_000);

    for (const { what, args, message } of mistakes) {
        it(`suggests the next step on stderr, with exit code 2: ${what}`, async () => {
            await withFolder(async (folder) => {
                const { exitCode, stdout, stderr } = await run(folder, args, {
                    STATIC_EXPORT_ADMIN_API_KEY: "admin_0123456789abcdef",
                });
                assert.match(stderr, message);
                assert.match(stderr, /^error: /);
                assert.doesNotMatch(stderr, /^ {4}at /m);
                assert.deepEqual([exitCode, stdout], [2, ""]);
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
            /it is wrong, expired or rotated\. Set --admin-key-file \(or STATIC_EXPORT_ADMIN_API_KEY\) to a key/,
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
            assert.match(stderr, /^error: static-export needs Node\.js \^22\.13 \|\| >=24, and this is 20\.20\.2\./);
            assert.equal(exitCode, 2);
        });
    });
});
