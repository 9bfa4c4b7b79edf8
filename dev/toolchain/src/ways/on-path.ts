import semver from "semver";
import which from "which";
import { run } from "../running/run.js";
import { type GoTool } from "../cache/tools.js";
import { Missing } from "./ways.js";

interface OnPath {
    readonly command: string;
    readonly version: string;
}

/** Finds the first program of this name on PATH, if it is recent enough. */
export async function findOnPath({ name, onPath }: Pick<GoTool, "name" | "onPath">): Promise<OnPath | Missing> {
    const command = await which(name, { nothrow: true });
    if (command === null || onPath === undefined) {
        return new Missing("none is on PATH");
    }
    const env = { PULUMI_SKIP_UPDATE_CHECK: "true" };
    const printed = await run(command, onPath.versionArguments, { env, timeoutMs: 10_000 }).catch(() => "");
    const version = semver.parse(printed.trim());
    if (version === null) {
        return new Missing(`the one on PATH (${command}) does not report its version`);
    }
    // A development build of the next version ("3.216.0-alpha.1") counts as that version.
    if (semver.lt(`${version.major}.${version.minor}.${version.patch}`, onPath.minimumVersion)) {
        return new Missing(`the one on PATH (${command}) is ${version.version}, older than ${onPath.minimumVersion}`);
    }
    return { command, version: version.version };
}
