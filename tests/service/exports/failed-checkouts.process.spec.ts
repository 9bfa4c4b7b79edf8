import assert from "node:assert/strict";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitSource } from "../../../service/src/exports/git-source.js";
import { LostCommitError, SiteCheckouts } from "../../../service/src/exports/site-checkouts.js";
import { withFolder } from "../../sdk/support/files.js";

const source: GitSource = { url: "https://git.example.com/acme/docs.git", branch: "main", folder: "." };
const name = `Branch main of ${source.url}`;
const { signal } = new AbortController();

interface Given {
    checkouts: SiteCheckouts;
    checkOut: (from?: GitSource, options?: { commit?: string; historyCommits?: number }) => Promise<object>;
    /** The credentials that a command got, if any. */
    secretOf: (command: string) => Promise<string>;
}

/** Runs checkouts with a program instead of git, whose fetches write a message and fail. */
async function withGit(
    message: string,
    use: (given: Given) => Promise<void>,
    given: { maxBytes?: number; stallSeconds?: number; tokens?: Record<string, string> } = {},
): Promise<void> {
    await withFolder(async (dataDir) => {
        const git = join(dataDir, "git");
        await writeFile(join(dataDir, "message"), message);
        const script = [
            "#!/bin/sh",
            `{ cat <&3 > '${dataDir}/secret-'"$1"; } 2>/dev/null`,
            'case "$1" in',
            `fetch | ls-remote) if test -s '${dataDir}/message'; then cat '${dataDir}/message' >&2; exit 128; fi ;;`,
            'checkout) head -c 2000000 /dev/zero > "$GIT_WORK_TREE/zeros" ;;',
            "rev-parse) echo c1 ;;",
            "esac",
        ];
        await writeFile(git, `${script.join("\n")}\n`);
        await chmod(git, 0o755);
        const checkouts = new SiteCheckouts({
            dataDir,
            tokens: new Map(Object.entries(given.tokens ?? {})),
            maxBytes: given.maxBytes ?? 2 ** 30,
            memoryMegabytes: 512,
            ...(given.stallSeconds === undefined ? {} : { stallSeconds: given.stallSeconds }),
            sleep: () => Promise.resolve(),
            env: { PATH: `${dataDir}:${process.env["PATH"]}` },
        });
        let count = 0;
        await use({
            checkouts,
            checkOut: async (from = source, options = {}) => {
                const folder = join(dataDir, `checkout ${(count += 1)}`);
                await mkdir(folder);
                return checkouts.checkOut(from, folder, { ...options, signal });
            },
            secretOf: (command) => readFile(join(dataDir, `secret-${command}`), "utf8").catch(() => ""),
        });
    });
}

describe("The error of a failed checkout", () => {
    for (const [title, message, advice, from = source] of [
        [
            "a branch that does not exist",
            "fatal: couldn't find remote ref refs/heads/main",
            "The repository has no branch of this name: correct it, or push the branch, then start",
        ],
        [
            "a host that cannot be reached",
            "fatal: unable to access: Could not resolve host: git.example.com",
            "Check that this machine reaches the repository's host, then start",
        ],
        [
            "a repository with SHA-256",
            "fatal: mismatched algorithms: client sha1; server sha256",
            "Repositories with SHA-256 are not supported: name one with SHA-1, then start",
        ],
        [
            "a commit that needs too much memory",
            "fatal: out of memory, malloc failed",
            "Remove the file that expands to this size from the commit, or raise --export-memory-mb, then start",
        ],
        [
            "a damaged repository",
            `fatal: unable to read ${"4f2a".repeat(10)}`,
            "Repair the repository, in which git fsck finds faults, then start",
        ],
        [
            "a refused https address",
            "fatal: Authentication failed",
            "Check the site's address and the token that --git-token-env names, then start",
        ],
        [
            "a refused ssh address",
            "Permission denied (publickey).",
            "Check the site's address, and the ssh key and known hosts of the service's user, then start",
            { ...source, url: "ssh://git@git.example.com/acme/docs.git" },
        ],
        [
            "a refused folder",
            "fatal: not a git repository",
            "Check the site's address, and the owner of the repository, then start",
            { ...source, url: "file:///srv/docs.git" },
        ],
        [
            "a repository that has moved, as git's error already says",
            "fatal: unable to access: The requested URL returned error: 301",
            "Then start",
        ],
        [
            "a repository that sends too little, as the error already says",
            "fatal: unable to access: Operation too slow. Less than 1000 bytes/sec",
            "Then start",
        ],
    ] as const) {
        it(`says what to do about ${title}`, async () => {
            await withGit(message, async ({ checkOut }) => {
                await assert.rejects(checkOut(from), (error: Error) => {
                    assert.ok(error.message.startsWith(`Branch main of ${from.url} could not be fetched: git fetch `));
                    assert.ok(error.message.endsWith(`. ${advice} a new export.`), error.message);
                    return true;
                });
            });
        });
    }

    for (const [title, options, advice] of [
        ["a commit that is too large", {}, "Remove large files from the commit, or raise --export-disk-mb"],
        [
            "a history that is too large",
            { historyCommits: 9 },
            "Lower build.historyCommits in the sites file, or raise --export-disk-mb",
        ],
    ] as const) {
        it(`says what to do about ${title}`, async () => {
            await withGit(
                "",
                async ({ checkOut }) => {
                    const message = `${name} could not be fetched: git checkout used more than 1 MB of disk. ${advice}, then start a new export.`;
                    await assert.rejects(checkOut(source, options), { message });
                },
                { maxBytes: 2 ** 20 },
            );
        });
    }

    it("names the time in which the repository sent too little, as the operator has set it", async () => {
        for (const stallSeconds of [undefined, 70]) {
            const check: Parameters<typeof withGit>[1] = ({ checkOut }) =>
                assert.rejects(checkOut(), {
                    message: new RegExp(
                        `git fetch received too little for ${stallSeconds ?? 300} s: check the network`,
                    ),
                });
            const given = stallSeconds === undefined ? {} : { stallSeconds };
            await withGit("fatal: unable to access: Operation too slow.", check, given);
        }
    });

    it("names an earlier commit that is gone, and is another one for a branch", async () => {
        for (const message of [
            "fatal: remote error: upload-pack: not our ref c0",
            "error: Server does not allow request for unadvertised object c0",
            "fatal: no such remote ref c0",
            "fatal: couldn't find remote ref c0",
        ]) {
            await withGit(message, async ({ checkOut }) => {
                await assert.rejects(checkOut(source, { commit: "c0" }), (error: Error) => {
                    assert.ok(error instanceof LostCommitError);
                    assert.equal(error.message, `commit c0 is no longer in ${source.url}`);
                    return true;
                });
                await assert.rejects(checkOut(), (error: Error) => !(error instanceof LostCommitError));
            });
        }
    });

    it("names the commit if its fetch fails for another reason", async () => {
        await withGit("fatal: Authentication failed", async ({ checkOut }) => {
            await assert.rejects(
                checkOut(source, { commit: "c0" }),
                /^Error: Commit c0 of https:.* could not be fetched/,
            );
        });
        await withGit("fatal: Authentication failed", async ({ checkOut }) => {
            await assert.rejects(checkOut({ ...source, branch: undefined }), /^Error: The default branch of https:/);
        });
    });

    it("names a folder that is missing, is a file, or is outside the checkout", async () => {
        await withGit("", async ({ checkOut }) => {
            for (const folder of ["guides", "zeros", ".."]) {
                await assert.rejects(checkOut({ ...source, folder }), {
                    message: `${name}, at c1, has no folder ${folder}: correct what follows the branch in the site's address.`,
                });
            }
            const { commit, branch } = (await checkOut()) as { commit: string; branch: string };
            assert.deepEqual([commit, branch], ["c1", "main"]);
        });
    });
});

describe("A check of a repository", () => {
    it("finds a branch that is missing, or cannot be fetched, without a second try", async () => {
        await withGit("", async ({ checkouts }) => {
            assert.deepEqual(await checkouts.findFault(source, signal), {
                fault: `${name} does not exist`,
                advice: "The repository has no branch of this name: correct it, or push the branch",
            });
        });
        await withGit("fatal: Connection refused\nby the host", async ({ checkouts }) => {
            assert.deepEqual(await checkouts.findFault(source, signal), {
                fault: `${name} cannot be fetched: git ls-remote exited with code 128: fatal: Connection refused by the host`,
                advice: "Check that this machine reaches the repository's host",
            });
        });
    });

    it("has advice also where git's own error contains some", async () => {
        await withGit("fatal: The requested URL returned error: 301", async ({ checkouts }) => {
            assert.equal((await checkouts.findFault(source, signal))?.advice, "Check the site's address");
        });
    });

    it("ends with its signal", async () => {
        await withGit("fatal: Connection refused", async ({ checkouts }) => {
            const reason = new Error("Not needed.");
            await assert.rejects(checkouts.findFault(source, AbortSignal.abort(reason)), reason);
        });
    });
});

describe("The token of an origin", () => {
    for (const [title, token, user, password] of [
        ["is sent as a password, with a user name that hosts accept", "t0ken", "x-access-token", "t0ken"],
        ["may contain a user name", "deploy:t0ken:more", "deploy", "t0ken:more"],
    ] as const) {
        it(`${title}, and only to commands that connect`, async () => {
            const tokens = { "https://git.example.com": token };
            await withGit(
                "",
                async ({ checkOut, secretOf }) => {
                    await checkOut();
                    assert.ok((await secretOf("fetch")).startsWith(`username=${user}\npassword=${password}\n`));
                    assert.equal(await secretOf("init"), "");
                },
                { tokens },
            );
        });
    }

    it("is not sent to other hosts", async () => {
        await withGit(
            "",
            async ({ checkOut, secretOf }) => {
                await checkOut();
                assert.equal(await secretOf("fetch"), "");
            },
            { tokens: { "https://other.example.com": "t0ken" } },
        );
    });
});
