import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { run } from "@pulumi-static-export/toolchain";
import { type ForeignSite } from "./sites.js";

/**
 * Checks out only the site's folder, at the repository's newest commit.
 *
 * @param mirrors - a folder of clones, named `owner+name` or `owner+name/repo`; any other repository is cloned
 * from GitHub
 * @returns the site's folder and the commit
 */
export async function checkOut(
    { repository, folder }: ForeignSite,
    target: string,
    mirrors?: string,
): Promise<{ sourceDir: string; commit: string }> {
    await mkdir(target, { recursive: true });
    const gitDir = mirrorOf(repository, mirrors) ?? (await clone(repository, join(target, "repository.git")));
    const git = (...args: string[]) => run("git", ["--git-dir", gitDir, ...args]);
    const tree = join(target, "tree");
    await mkdir(tree);
    const archive = join(target, "tree.tar");
    const missing = await missingFiles(git, folder);
    await git("archive", "--output", archive, "HEAD", folder, ...missing.map((name) => `:(exclude,literal)${name}`));
    await run("tar", ["-xf", archive, "-C", tree]);
    return { sourceDir: join(tree, folder), commit: (await git("rev-parse", "--short=10", "HEAD")).trim() };
}

/** Lists the files whose content is missing from a partial clone, such as videos. */
async function missingFiles(git: (...args: string[]) => Promise<string>, folder: string): Promise<string[]> {
    const missing = new Set(
        (await git("rev-list", "--objects", "--missing=print", "HEAD", "--no-walk")).match(/^\?\w+/gm),
    );
    const files = (await git("ls-tree", "-r", "-z", "HEAD", folder)).split("\0");
    return files.flatMap((line) => {
        const [, object, name] = /^\d+ \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
        return name !== undefined && missing.has(`?${object}`) ? [name] : [];
    });
}

function mirrorOf(repository: string, mirrors: string | undefined): string | undefined {
    const name = repository.replace("/", "+");
    return mirrors === undefined
        ? undefined
        : [join(mirrors, name, "repo"), join(mirrors, name)].find((folder) => existsSync(folder));
}

async function clone(repository: string, gitDir: string): Promise<string> {
    await run("git", ["clone", "--quiet", "--bare", "--depth", "1", `https://github.com/${repository}.git`, gitDir]);
    return gitDir;
}
