import { createService, ServiceOptionsError, type ServiceOptions } from "@pulumi-static-export/service";
import { DatabaseSync } from "node:sqlite";
import assert from "node:assert/strict";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { readOrCreateSecretFile } from "../../../service/src/keys/secret-file.js";
import { adminApiKey, domain, withFolder, withServiceOver } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";

describe("Service options", () => {
    const refused: [string, (folder: string) => Partial<ServiceOptions>, RegExp][] = [
        ["an empty key", () => ({ adminApiKey: "" }), /^The admin API key is empty\.$/],
        [
            "a key with white space",
            () => ({ adminApiKey: "a b" }),
            /^The admin API key must not contain white space\.$/,
        ],
        ["no site", () => ({ sites: {} }), /^No site is given: name at least one domain and its folder\.$/],
        [
            "a site without its folder",
            () => ({ sites: { [domain]: "/nowhere" } }),
            /^Site .*: there is no folder \/nowhere\.$/,
        ],
        [
            "a site that is a file",
            (folder) => ({ sites: { [domain]: join(folder, "site", "index.md") } }),
            /there is no folder .*index\.md\.$/,
        ],
        [
            "a data folder among the files of a site",
            (folder) => ({ dataDir: join(folder, "site", "data") }),
            /^Data folder .* is inside the folder of site docs\.example\.com and would be published with it:/,
        ],
        [
            "a data folder that is a site's folder",
            (folder) => ({ dataDir: join(folder, "site") }),
            /would be published with it/,
        ],
        [
            "a domain with a scheme",
            (folder) => ({ sites: { [`https://${domain}`]: folder } }),
            /the domain must be a host name such as docs\.example\.com/,
        ],
        [
            "a path that is none",
            (folder) => ({ sites: { [`${domain}/../docs`]: folder } }),
            /or one with the path below which the site is served, such as example\.com\/docs\.$/,
        ],
        [
            "a domain twice",
            (folder) => ({ sites: { [domain]: folder, [domain.toUpperCase()]: folder } }),
            /is given twice\.$/,
        ],
        [
            "a link that lives no time",
            () => ({ linkTtlSeconds: 0 }),
            /^linkTtlSeconds must be a whole number of at least 1, got 0\.$/,
        ],
        ["no concurrency", () => ({ concurrency: 0 }), /^concurrency must be a whole number of at least 1/],
        [
            "a public address that is none",
            () => ({ publicUrl: "docs" }),
            /^The public address "docs" must be an http or https URL/,
        ],
        ["a public address with a query", () => ({ publicUrl: "http://a/?b" }), /without a query/],
        [
            "a project without a repository URL",
            () => ({ projects: { docs: { repository: "acme/docs" } } }),
            /^Project docs: .*full URL/,
        ],
        ...[
            "https://t0ken@github.com/acme/docs",
            "https://me:t0ken@github.com/acme/docs",
            "https://github.com/acme/docs?private_token=t0ken",
            "https://github.com/acme/docs#t0ken",
            "ssh://git:t0ken@github.com/acme/docs",
        ].map((repository): [string, () => Partial<ServiceOptions>, RegExp] => [
            `a token in a repository's address, as in ${repository}`,
            () => ({ projects: { docs: { repository } } }),
            /^Project docs: (?!.*t0ken).*every job shows the URL\. For https, .*--agent-forge-token-env names\. For ssh, the service/,
        ]),
        [
            "a token in the public address",
            () => ({ publicUrl: "https://t0ken@docs.example.com" }),
            /^The public address must not contain a user or a password(?!.*t0ken)/,
        ],
        [
            "a repository to which the forge's token must not be sent",
            () => ({
                projects: { docs: { repository: "https://git.example.com/acme/docs" } },
                agent: {
                    command: ["/bin/true"],
                    pullRequests: { kind: "github", apiUrl: "https://api.github.com", token: "t0ken" },
                },
            }),
            /^Project docs: its repository is at https:\/\/git\.example\.com, and the forge's token is sent to https:\/\/github/,
        ],
    ];
    for (const [what, options, message] of refused) {
        it(`refuse ${what}`, async () => {
            await withFolder(async (folder) => {
                const base = { dataDir: join(folder, "data"), sites: { [domain]: join(folder, "site") }, adminApiKey };
                assert.throws(
                    () => createService({ ...base, ...options(folder) }),
                    (error) => error instanceof ServiceOptionsError && message.test(error.message),
                );
                return Promise.resolve();
            });
        });
    }

    it("refuse a site inside the data folder, because files of that folder are never published", async () => {
        await withFolder(async (folder) => {
            const base = { dataDir: folder, sites: { [domain]: join(folder, "site") }, adminApiKey };
            assert.throws(
                () => createService(base),
                /^ServiceOptionsError: The folder of site .* is inside the data folder/,
            );
            return Promise.resolve();
        });
    });

    it("accept a hidden data folder inside a site, because hidden folders are not published", async () => {
        await withFolder(async (folder) => {
            const dataDir = join(folder, "site", ".static-export");
            await withServiceOver(folder, { exporter: copyingExporter, dataDir }, async ({ start, reaches }) => {
                await reaches(await start(), "completed");
            });
        });
    });

    it("refuse to listen on all addresses without a public address", async () => {
        await withFolder(async (folder) => {
            const base = { dataDir: join(folder, "data"), sites: { [domain]: join(folder, "site") }, adminApiKey };
            const service = createService(base);
            await assert.rejects(service.listen({ host: "0.0.0.0" }), {
                name: "ServiceOptionsError",
                message:
                    'Listening on every address ("0.0.0.0") needs a public address: bundle links must name one that clients reach.',
            });
            assert.throws(() => service.url, /call listen first/);
            await service.close();
        });
    });

    it("report which port is already in use", async () => {
        await withFolder(async (folder) => {
            const other = createServer().listen(0, "127.0.0.1");
            await new Promise((resolve) => other.once("listening", resolve));
            const { port } = other.address() as AddressInfo;
            const base = { dataDir: join(folder, "data"), sites: { [domain]: join(folder, "site") }, adminApiKey };
            const service = createService(base);
            await assert.rejects(service.listen({ port }), { code: "EADDRINUSE" });
            await service.close();
            other.close();
        });
    });

    it("put the public address without its trailing slash into links", async () => {
        await withFolder(async (folder) => {
            const publicUrl = "https://admin.example.com/docs/";
            const options = { exporter: copyingExporter, publicUrl, sites: { [domain]: join(folder, "site") } };
            const base = { dataDir: join(folder, "data"), adminApiKey, ...options };
            const service = createService(base);
            try {
                await service.listen();
                assert.equal(service.url, "https://admin.example.com/docs");
            } finally {
                await service.close();
            }
        });
    });
});

describe("The data folder", () => {
    it("is private to its owner, and is kept out of repositories", async () => {
        await withFolder(async (folder) => {
            await withServiceOver(folder, { exporter: copyingExporter }, async () => {
                const dataDir = join(folder, "data");
                assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
                assert.equal(await readFile(join(dataDir, ".gitignore"), "utf8"), "*\n");
            });
        });
    });

    it("serves one service at a time, and the next service when the first is closed", async () => {
        await withFolder(async (folder) => {
            const base = { dataDir: join(folder, "data"), sites: { [domain]: join(folder, "site") }, adminApiKey };
            await withServiceOver(folder, { exporter: copyingExporter }, async () => {
                assert.throws(() => createService(base), {
                    message: `Data folder ${base.dataDir} is in use by another service: stop that one, or choose another data folder.`,
                });
                return Promise.resolve();
            });
            await createService(base).close();
        });
    });

    it("is refused if a newer release of the service has written it", async () => {
        await withFolder(async (folder) => {
            const base = { dataDir: join(folder, "data"), sites: { [domain]: join(folder, "site") }, adminApiKey };
            await createService(base).close();
            const database = new DatabaseSync(join(folder, "data", "service.sqlite"));
            database.exec("PRAGMA user_version = 99");
            database.close();
            assert.throws(
                () => createService(base),
                /was written by a newer release of the service \(layout 99, this one/,
            );
        });
    });

    it("creates a secret once, and makes a secret file private if other users could read it", async () => {
        await withFolder(async (folder) => {
            const path = join(folder, "secret");
            const secret = readOrCreateSecretFile(path, "admin_");
            assert.match(secret, /^admin_[0-9a-f]{64}$/);
            await chmod(path, 0o644);
            assert.equal(readOrCreateSecretFile(path), secret);
            assert.equal((await stat(path)).mode & 0o777, 0o600);
        });
    });

    it("refuses an empty secret", async () => {
        await withFolder(async (folder) => {
            const path = join(folder, "secret");
            await writeFile(path, "\n");
            assert.throws(() => readOrCreateSecretFile(path), {
                message: `Secret file ${path} is empty: remove the file, and the next start creates a new secret.`,
            });
        });
    });
});
