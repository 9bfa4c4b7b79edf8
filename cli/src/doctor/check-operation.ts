import { amount, describeBytes } from "@pulumi-static-export/contract";
import { type ExaminedSites } from "@pulumi-static-export/service";
import { statfs } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, resolve } from "node:path";
import { readGitTokens } from "../serve/service-settings.js";
import { type Examination } from "./examination.js";
import { error, type Finding, ok, skipped, warning } from "./finding.js";

/** Exports of large sites need several times the size of their bundles. */
const minFreeBytes = 2e9;

/**
 * Checks what `serve` and `work` need on an operator's machine. Without `--sites-file` and `--data-dir`, returns no
 * findings.
 */
export async function checkOperation(examination: Examination): Promise<Finding[]> {
    const { sitesFile, dataDir } = examination.options;
    return [
        ...(sitesFile === undefined ? [] : await checkSites(examination, sitesFile, dataDir)),
        ...(dataDir === undefined ? [] : [await checkDisk(dataDir)]),
    ];
}

async function checkSites(examination: Examination, file: string, dataDir = ".static-export"): Promise<Finding[]> {
    // Loads the service, which other checks do not need.
    const { examineSites } = await import("@pulumi-static-export/service");
    const { faults, count, repositories, builds } = examineSites(file, dataDir);
    const fix = "Correct the file: a running service reads it again.";
    return [
        ...(faults.length === 0 ? [ok("sites", `${file}: ${count}`)] : faults.map((each) => error("sites", each, fix))),
        ...(repositories.size > 0
            ? await checkGit(examination, repositories, dataDir)
            : [skipped("git", "no site is in a repository")]),
        builds === undefined
            ? skipped("sandbox", "no site has a build")
            : builds.fault === undefined
              ? describeBuilds(builds.weakLimits)
              : error("sandbox", builds.fault, "Without a sandbox, builds of sites fail."),
    ];
}

/** Reports what the kernel does not enforce for a service that starts as this process did. */
function describeBuilds(weakLimits: readonly string[]): Finding {
    return weakLimits.length === 0
        ? ok("sandbox", "builds run in it, and the kernel enforces their limits")
        : warning(
              "sandbox",
              `builds run in it. Started as this command was, the service would have these limits: ${weakLimits.join("; ")}`,
              'The guide "Your builder" says what to install, under "Who enforces the limits".',
          );
}

async function checkGit(
    { run, env, options }: Examination,
    repositories: ExaminedSites["repositories"],
    dataDir: string,
): Promise<Finding[]> {
    const result = await run("git", ["--version"]);
    if (result?.exitCode !== 0) {
        return [error("git", "is not on the PATH", "Install git, which fetches the sites of repositories.")];
    }
    const { findRepositoryFaults } = await import("@pulumi-static-export/service");
    const tokens = readGitTokens(options.gitTokenEnv ?? {}, env);
    const faults = await findRepositoryFaults(repositories, { dataDir, tokens, env });
    const user = `as ${describeOwnUser()}`;
    const version = result.stdout.trim().replace(/^git version /, "");
    const fetched = amount(repositories.size, "repository", "repositories");
    return faults.length === 0
        ? [ok("git", `${version}; ${fetched} can be fetched ${user}`)]
        : faults.map(({ fault, advice }) => error("git", `${user}, ${fault}`, `${advice}.`));
}

/** The user to whom git and ssh belong here: the service's user may have other keys. */
function describeOwnUser(): string {
    try {
        return `user ${userInfo().username}`;
    } catch {
        // A container may run as a user without a name.
        return `user ${process.getuid?.()}`;
    }
}

async function checkDisk(folder: string): Promise<Finding> {
    // The service creates the folder.
    for (let place = resolve(folder); ; place = dirname(place)) {
        try {
            const { bavail, bsize } = await statfs(place);
            const freeBytes = bavail * bsize;
            const found = `${describeBytes(freeBytes)} free for ${folder}`;
            return freeBytes < minFreeBytes
                ? warning("disk", found, "Make room, or store bundles in a bucket (--bucket).")
                : ok("disk", found);
        } catch (problem) {
            const { code } = problem as NodeJS.ErrnoException;
            if (code !== "ENOENT" || place === dirname(place)) {
                return error("disk", `${place} cannot be read (${code})`, "Let this user read the data folder.");
            }
        }
    }
}
