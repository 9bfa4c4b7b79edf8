import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdir, readFile, rename, stat, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseGitSource } from "../../../service/src/exports/git-source.js";
import { type SiteCheckout, SiteCheckouts } from "../../../service/src/exports/site-checkouts.js";
import { addExpandingCommit } from "../support/expanding-commit.js";
import { withFolder } from "../../sdk/support/files.js";
import { GitServer } from "../support/git-server.js";

const mebibyte = 2 ** 20;

interface Fetching {
    fragment?: string;
    tokens?: Record<string, string>;
    maxBytes?: number;
    memoryMegabytes?: number;
    historyCommits?: number;
    url?: string;
    onRetry?: () => void;
    look?: (checkout: SiteCheckout, folder: string) => Promise<void>;
}

/** Checks out the documentation, and removes it afterwards. */
async function checkOut(server: GitServer, fetching: Fetching): Promise<void> {
    const { fragment = "#main", tokens = {}, maxBytes = 64 * mebibyte, memoryMegabytes = 512 } = fetching;
    const { historyCommits, url = server.url, onRetry, look } = fetching;
    const source = parseGitSource("docs.example.com", `git+${url}${fragment}`);
    assert.ok(source !== undefined);
    await withFolder(async (folder) => {
        const checkouts = new SiteCheckouts({
            dataDir: folder,
            tokens: new Map(Object.entries(tokens)),
            maxBytes,
            memoryMegabytes,
            sleep: () => Promise.resolve(onRetry?.()),
        });
        const { signal } = new AbortController();
        const checkout = await checkouts.checkOut(source, folder, { historyCommits, signal });
        await look?.(checkout, folder);
    });
}

function runGit(repository: string, workTree: string, args: string[]): string {
    const env = { ...process.env, GIT_DIR: repository, GIT_WORK_TREE: workTree, GIT_TERMINAL_PROMPT: "0" };
    return execFileSync("git", args, { env, encoding: "utf8" }).trim();
}

describe("Documentation in a repository", () => {
    let server: GitServer;
    const withServer = (settings: Parameters<typeof GitServer.start>[0], use: () => Promise<void>) => async () => {
        server = await GitServer.start(settings);
        try {
            await server.commit({ "index.md": "# Root\n", "guides/start.md": "# Start\n" });
            await use();
        } finally {
            await server.stop();
        }
    };

    it(
        "is checked out without history at the newest commit of the branch, and the commit's id is returned",
        withServer({}, async () => {
            const commit = await server.commit({ "index.md": "# Newer\n" });
            await server.git("checkout", "--quiet", "-b", "other");
            await server.commit({ "index.md": "# Other\n" });
            await checkOut(server, {
                look: async (checkout, folder) => {
                    assert.equal(checkout.commit, commit);
                    assert.deepEqual((await readdir(checkout.sourceDir)).sort(), ["guides", "index.md"]);
                    assert.equal(await readFile(join(checkout.sourceDir, "index.md"), "utf8"), "# Newer\n");
                    assert.equal(await readFile(join(folder, "repository", "shallow"), "utf8"), `${commit}\n`);
                },
            });
        }),
    );

    it(
        "has the history that its builder asks for, on the branch and with its tags, but without large old files",
        withServer({ password: "x-access-token:s3cr3t-token" }, async () => {
            await server.git("tag", "v1");
            await server.commit({ "large.bin": randomBytes(mebibyte).toString("base64") }, "2026-03-01T00:00:00Z");
            await server.commit({ "large.bin": randomBytes(mebibyte).toString("base64") });
            await checkOut(server, {
                fragment: "",
                tokens: { [server.origin]: "s3cr3t-token" },
                historyCommits: 100,
                look: async ({ checkout }, folder) => {
                    const git = (...args: string[]) => runGit(join(folder, "repository"), checkout, args);
                    assert.equal(git("rev-list", "--count", "HEAD"), "3");
                    assert.equal(git("rev-parse", "--abbrev-ref", "HEAD"), "main");
                    assert.match(git("describe", "--tags"), /^v1-2-g/);
                    assert.equal(git("status", "--porcelain"), "");
                    assert.equal(git("rev-list", "--objects", "--missing=print", "HEAD").match(/^\?/gm)?.length, 1);
                    assert.equal((await stat(join(checkout, "large.bin"))).size > mebibyte, true);
                },
            });
        }),
    );

    it(
        "has no more history than its builder asks for",
        withServer({}, async () => {
            for (const text of ["b", "c", "d"]) {
                await server.commit({ "index.md": text });
            }
            await checkOut(server, {
                historyCommits: 2,
                look: ({ checkout }, folder) => {
                    assert.equal(runGit(join(folder, "repository"), checkout, ["rev-list", "--count", "HEAD"]), "2");
                    return Promise.resolve();
                },
            });
        }),
    );

    it(
        "comes from the default branch if none is named, and may be in a subfolder",
        withServer({}, () =>
            checkOut(server, {
                fragment: "#:guides",
                look: async ({ sourceDir }) => assert.deepEqual(await readdir(sourceDir), ["start.md"]),
            }),
        ),
    );

    it(
        "is fetched with the token of its origin, which is not stored in the checkout",
        withServer({ password: "x-access-token:s3cr3t-token" }, async () => {
            await checkOut(server, {
                tokens: { [server.origin]: "s3cr3t-token" },
                look: async (_, folder) => {
                    const config = await readFile(join(folder, "repository", "config"), "utf8");
                    assert.doesNotMatch(config, /s3cr3t/);
                },
            });
        }),
    );

    it(
        "is fetched with a user and a password if the token contains both",
        withServer({ password: "deploy:s3cr3t-token" }, () =>
            checkOut(server, { tokens: { [server.origin]: "deploy:s3cr3t-token" } }),
        ),
    );

    it(
        "is refused without the token, and the error names the option to set",
        withServer({ password: "x-access-token:s3cr3t-token" }, async () => {
            await assert.rejects(
                checkOut(server, { tokens: { "https://git.example.com": "another-token" } }),
                /^Error: Branch main of http.*\/acme\/docs\.git could not be fetched: .* the token that --git-token-env names/s,
            );
            assert.ok(server.authorizations.every((authorization) => authorization === undefined));
        }),
    );

    it(
        "causes an error that names the network, not the token, if the host cannot be reached",
        withServer({}, async () => {
            server.onRequest = () => server.dropConnections();
            await assert.rejects(
                checkOut(server, {}),
                /could not be fetched: .*\. Check that this machine reaches the repository's host, then start a new export\.$/s,
            );
        }),
    );

    it(
        "is fetched once if its repository lacks a file's content or a folder, and the error says to repair it",
        withServer({}, async () => {
            // The connection ends within the content of the first file.
            await server.commit({ "guide.txt": randomBytes(mebibyte).toString("hex"), "a/b.md": "# B" });
            for (const object of ["HEAD:a", "HEAD:index.md"]) {
                const id = (await server.git("rev-parse", object)).trim();
                const file = join(server.workTree, ".git/objects", id.slice(0, 2), id.slice(2));
                await rename(file, `${file}.away`);
                let isRetried = false;
                await assert.rejects(
                    checkOut(server, {
                        url: pathToFileURL(server.workTree).href,
                        onRetry: () => void (isRetried = true),
                    }),
                    new RegExp(
                        `${id}.*\\. Repair the repository, in which git fsck finds faults, then start a new export\\.$`,
                        "s",
                    ),
                );
                assert.equal(isRetried, false);
                await rename(`${file}.away`, file);
            }
        }),
    );

    it(
        "causes an error that names a missing branch or folder",
        withServer({}, async () => {
            await assert.rejects(checkOut(server, { fragment: "#gone" }), /Branch gone of .*couldn't find remote ref/s);
            await assert.rejects(
                checkOut(server, { fragment: "#main:gone" }),
                /Branch main of .*, at [0-9a-f]{40}, has no folder gone: correct what follows the branch/,
            );
        }),
    );

    it(
        "is never read through a link that leads outside the checkout",
        withServer({}, async () => {
            await symlink("/etc", join(server.workTree, "linked"));
            await server.commit({});
            await assert.rejects(checkOut(server, { fragment: "#main:linked" }), /has no folder linked/);
        }),
    );

    it(
        "is checked out without running programs that the repository configures",
        withServer({}, async () => {
            await server.commit({
                ".gitattributes": "*.md filter=evil\n",
                ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "exit 1"\n',
                "hooks/post-checkout": "#!/bin/sh\nexit 1\n",
            });
            await checkOut(server, {
                look: async ({ sourceDir }) =>
                    assert.equal(await readFile(join(sourceDir, "index.md"), "utf8"), "# Root\n"),
            });
        }),
    );

    it(
        "is not fetched beyond the disk limit",
        withServer({}, async () => {
            await server.commit({ "picture.bin": randomBytes(3 * mebibyte).toString("base64") });
            await assert.rejects(checkOut(server, { maxBytes: mebibyte }), /used more than 1 MB of disk/);
        }),
    );

    it(
        "is not unpacked beyond the memory limit, and the error names the remedy",
        withServer({}, async () => {
            await addExpandingCommit(join(server.workTree, ".git"), "expanding", 20);
            await assert.rejects(
                checkOut(server, { fragment: "#expanding", memoryMegabytes: 128, maxBytes: 1024 * mebibyte }),
                /git fetch needs more than 128 MB of memory\. Remove the file that expands to this size from the commit/,
            );
        }),
    );

    it(
        "may contain a file that is larger than the memory limit",
        withServer({}, async () => {
            const size = 256 * mebibyte;
            await truncate(join(server.workTree, "index.md"), size);
            await server.commit({});
            await checkOut(server, {
                memoryMegabytes: 128,
                maxBytes: 1024 * mebibyte,
                look: async ({ sourceDir }) => assert.equal((await stat(join(sourceDir, "index.md"))).size, size),
            });
        }),
    );
});
