import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Returns the version of the next release. Set the version only in package.json; `npm run release:version` copies it to
 * other files.
 */
export function nextVersion(): string {
    return (JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string }).version;
}

/**
 * Returns the version of artifacts that are built from this checkout. The version is unique: a clean checkout of a
 * release's tag has the release's version; any other checkout has a pre-release such as `0.2.0-alpha.781.g1f3c2ab`,
 * with a digest of uncommitted changes. Pulumi translates only the names alpha, beta and rc to a version that pip
 * accepts. Without git, as in an image's build, the version is `0.2.0-dev`. RELEASE_VERSION replaces the version.
 */
export function buildVersion(folder: string = root, next: string = nextVersion()): string {
    const chosen = process.env["RELEASE_VERSION"];
    if (chosen !== undefined && chosen !== "") {
        return chosen;
    }
    const git = (...args: string[]) =>
        execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    try {
        const changes = git("diff", "HEAD");
        if (changes === "" && git("tag", "--points-at", "HEAD").split("\n").includes(`v${next}`)) {
            return next;
        }
        const commit = `${next}-alpha.${git("rev-list", "--count", "HEAD")}.g${git("rev-parse", "--short=10", "HEAD")}`;
        return changes === ""
            ? commit
            : `${commit}.d${createHash("sha256").update(changes).digest("hex").slice(0, 10)}`;
    } catch {
        return `${next}-dev`;
    }
}
