import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Repository } from "../../../service/src/agents/repository.js";
import { Git } from "../../../service/src/git/git.js";
import { ProcessMark } from "../../../service/src/processes/process-mark.js";
import { withFolder } from "../../sdk/support/files.js";

const run = promisify(execFile);
const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];

interface Checkout {
    folder: string;
    write(path: string, content: string): Promise<void>;
    git(...args: string[]): Promise<string>;
    /** Makes the folder a repository with a commit. */
    nest(path: string): Promise<void>;
    /** @returns the lines that name the changed files, or undefined without a commit */
    commit(): Promise<string[] | undefined>;
    content(path: string): Promise<string>;
    leftOut: string[];
    /** The files that were not filtered, by their filter. */
    unfiltered: Record<string, readonly string[]>;
}

/** Checks out a repository with these files, whose bytes are committed without conversion, as an agent gets it. */
async function withCheckout(
    files: Readonly<Record<string, string>>,
    use: (checkout: Checkout) => Promise<void>,
    submodule?: string,
): Promise<void> {
    await withFolder(async (root) => {
        const [remote, folder] = [join(root, "remote"), join(root, "checkout")];
        const at = async (where: string, ...args: string[]) =>
            (await run("git", ["-C", where, ...identity, ...args])).stdout;
        const write = async (path: string, content: string): Promise<void> => {
            await mkdir(dirname(path), { recursive: true });
            await writeFile(path, content);
        };
        await run("git", ["init", "--quiet", "--initial-branch=main", remote]);
        for (const [path, content] of Object.entries(files)) {
            await write(join(remote, path), content);
            const id = (await at(remote, "hash-object", "-w", "--no-filters", path)).trim();
            await at(remote, "update-index", "--add", "--cacheinfo", `100644,${id},${path}`);
        }
        if (submodule !== undefined) {
            await at(remote, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},${submodule}`);
        }
        await at(remote, "commit", "--quiet", "--message=First");
        const git = new Git({
            mark: ProcessMark.ofGit(root),
            protocol: "file",
            memoryMegabytes: 512,
            env: process.env,
        });
        const mirrors = join(root, "mirrors");
        await mkdir(mirrors);
        const repository = new Repository(pathToFileURL(remote).href, { git, folder: mirrors, maxBytes: 2 ** 26 });
        await repository.fetch();
        const base = String(await repository.head("main"));
        await repository.checkOut(base, "agent/aj_1", folder);
        const inMirror = async (...args: string[]) =>
            (await run("git", ["--git-dir", repository.gitDir, ...args])).stdout;
        const leftOut: string[] = [];
        const unfiltered: Record<string, readonly string[]> = {};
        let made: string | undefined;
        await use({
            folder,
            leftOut,
            unfiltered,
            write: (path, content) => write(join(folder, path), content),
            git: (...args) => at(folder, ...args),
            nest: async (path) => {
                await at(folder, "init", "--quiet", path);
                await at(join(folder, path), "commit", "--quiet", "--allow-empty", "--message=Inner");
            },
            commit: async () => {
                const index = join(root, "aj_1.index");
                const onLeftOut = (path: string) => leftOut.push(path);
                const onUnfiltered = (filter: string, files: readonly string[]) => void (unfiltered[filter] = files);
                made = await repository.commit(folder, { index, base, message: "Change", onLeftOut, onUnfiltered });
                assert.deepEqual(
                    (await readdir(root)).filter((name) => name.startsWith("aj_1.index.")),
                    [],
                );
                return made === undefined
                    ? undefined
                    : (await inMirror("diff-tree", "-r", "--name-status", base, made)).trim().split("\n");
            },
            content: (path) => inMirror("show", `${made}:${path}`),
        });
    });
}

const crlf = "# Page\r\n\r\nText.\r\n";

describe("The commit of an agent's changes", () => {
    for (const attributes of ["*.md text", "* text=auto", "*.md text eol=crlf", "*.md text eol=lf", "*.md ident"]) {
        it(`is not made if the agent changed nothing, even if git add would convert files: ${attributes}`, async () => {
            const files = {
                ".gitattributes": `${attributes}\n`,
                "page.md": crlf,
                "mixed.md": "# Page\r\n\nText.\n",
                'ä "b"\t.md': crlf,
                "ident.md": "$Id: old $\n",
            };
            await withCheckout(files, async ({ commit }) => assert.equal(await commit(), undefined));
        });
    }

    it("has only the files that the agent changed, next to others with CRLF", async () => {
        const files = { ".gitattributes": "*.md text\n", "a.md": crlf, "b.md": crlf, "c.md": crlf };
        await withCheckout(files, async ({ write, commit, content, folder }) => {
            await write("a.md", `${crlf}More.\r\n`);
            await chmod(join(folder, "c.md"), 0o755);
            assert.deepEqual(await commit(), ["M\ta.md", "M\tc.md"]);
            assert.equal(await content("a.md"), "# Page\n\nText.\nMore.\n");
            assert.equal(await content("c.md"), crlf);
        });
    });

    it("has the agent's files without other repositories that the agent left, which are reported", async () => {
        await withCheckout({ "a.md": "A.\n" }, async ({ write, nest, git, commit, leftOut }) => {
            await nest("cloned");
            await nest('guides/"in" ner');
            await git("init", "--quiet", "empty");
            await write("guides/b.md", "B.\n");
            await write("cloned/c.md", "C.\n");
            assert.deepEqual(await commit(), ["A\tguides/b.md"]);
            assert.deepEqual(leftOut, ["cloned/", "empty/", '"guides/\\"in\\" ner/"']);
        });
    });

    it("has the files of a folder that is the project's, even if the agent makes it a repository", async () => {
        await withCheckout({ "guides/a.md": "A.\n" }, async ({ write, nest, commit, leftOut }) => {
            await nest("guides");
            await write("guides/a.md", "Changed.\n");
            await write("guides/b.md", "B.\n");
            assert.deepEqual(await commit(), ["M\tguides/a.md", "A\tguides/b.md"]);
            assert.deepEqual(leftOut, []);
        });
    });

    it("leaves a submodule as it is, even if the agent fills its folder", async () => {
        const use = async ({ write, nest, commit }: Checkout) => {
            await nest("theme");
            assert.equal(await commit(), undefined);
            await write("a.md", "Changed.\n");
            assert.deepEqual(await commit(), ["M\ta.md"]);
        };
        await withCheckout({ "a.md": "A.\n" }, use, "theme");
    });

    it("has unfiltered files, of Git LFS and others, which are reported; pointers of Git LFS need no filter", async () => {
        const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"1".repeat(64)}\nsize 5\n`;
        const attributes = "*.png filter=lfs diff=lfs merge=lfs -text\n*.key filter=git-crypt\n*.md -filter\n";
        const files = { ".gitattributes": attributes, "old.png": pointer, "same.png": "raw", "gone.png": "raw" };
        await withCheckout(files, async ({ folder, write, commit, content, unfiltered }) => {
            await rename(join(folder, "old.png"), join(folder, "moved.png"));
            await rm(join(folder, "gone.png"));
            await write("a.md", "A.\n");
            await write("images/new.png", "small");
            await write('images/"ä" b.png', "x".repeat(2000));
            await write("signing.key", "plain\n");
            await commit();
            assert.deepEqual(unfiltered, {
                lfs: ['"images/\\"\\303\\244\\" b.png"', "images/new.png"],
                "git-crypt": ["signing.key"],
            });
            assert.equal(await content("images/new.png"), "small");
        });
    });

    it("has filters that the agent itself adds to .gitattributes reported, too", async () => {
        await withCheckout({ "a.md": "A.\n" }, async ({ write, commit, unfiltered }) => {
            await write(".gitattributes", "*.png filter=lfs\n");
            await write("a.png", "raw");
            await commit();
            assert.deepEqual(unfiltered, { lfs: ["a.png"] });
        });
    });
});
