/**
 * npm run release:publish -- FOLDER: publishes what `npm run release:build` wrote. In GitHub Actions npm and PyPI trust
 * the workflow, so that no token of theirs is needed; `helm registry login` comes before.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ensurePythonPrograms, ensureTool, type PythonTool, run } from "@pulumi-static-export/toolchain";
import { buildVersion } from "./build-version.js";
import { requireOwner } from "./owner-names.js";

const twine: PythonTool = { name: "twine", version: "7.0.0" };

type Options = Readonly<{ cwd?: string; env?: Record<string, string> }>;

/** @param args - further ones of `npm publish` */
export async function publishNpm(folder: string, args: readonly string[], options: Options = {}): Promise<void> {
    for (const file of filesIn(join(folder, "npm"))) {
        await run("npm", ["publish", file, "--access", "public", ...args], options);
    }
}

/** @param args - further ones of `twine upload` */
export async function publishPython(folder: string, args: readonly string[]): Promise<void> {
    const command = join(await ensurePythonPrograms(twine), "twine");
    await run(command, ["upload", "--non-interactive", ...args, ...filesIn(join(folder, "python"))]);
}

/** @param registry - such as `oci://ghcr.io/acme/charts` */
export async function publishCharts(folder: string, registry: string, args: readonly string[]): Promise<void> {
    const helm = await ensureTool("helm");
    for (const file of filesIn(join(folder, "charts"))) {
        await run(helm, ["push", file, registry, ...args]);
    }
}

/**
 * Tags a commit that has the generated Go module, which no branch has: Go finds a module in a folder of a repository by
 * a tag with the folder's name.
 *
 * @param repository - a checkout with the remote `origin`
 */
export async function publishGo(folder: string, version: string, repository: string): Promise<void> {
    const module = "sdk/go";
    const worktree = mkdtempSync(join(tmpdir(), "static-export-go-"));
    const git = (...args: string[]) => run("git", ["-C", worktree, ...args]);
    const author = ["-c", "user.name=release", "-c", "user.email=release@localhost"];
    await run("git", ["-C", repository, "worktree", "add", "--detach", worktree]);
    try {
        mkdirSync(join(worktree, module), { recursive: true });
        cpSync(join(folder, "go"), join(worktree, module), { recursive: true });
        await git("add", "--force", module);
        await git(...author, "commit", "--quiet", "--message", `The Go module of ${version}`);
        const tag = `${module}/v${version}`;
        await git("tag", tag);
        await git("push", "--quiet", "origin", tag);
    } finally {
        await run("git", ["-C", repository, "worktree", "remove", "--force", worktree]);
        rmSync(worktree, { recursive: true, force: true });
    }
}

function filesIn(folder: string): string[] {
    return readdirSync(folder)
        .sort()
        .map((name) => join(folder, name));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    const [argument] = process.argv.slice(2);
    if (argument === undefined) {
        console.error("Usage: npm run release:publish -- FOLDER");
        process.exit(2);
    }
    const [folder, owner, version] = [resolve(argument), requireOwner(), buildVersion()];
    if (!/^\d+\.\d+\.\d+$/.test(version)) {
        throw new Error(`${version} is not a release: check its tag out, without changes.`);
    }
    await publishNpm(folder, ["--provenance"]);
    await publishPython(folder, []);
    await publishCharts(folder, `oci://ghcr.io/${owner}/charts`, []);
    await publishGo(folder, version, process.cwd());
    console.log(`Published ${version}.`);
}
