import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type AgentService } from "../../../e2e/agent/agent-service.js";

const run = promisify(execFile);

interface BundleAdvice {
    /** The file. */
    bundle: string;
    /** The commands that push it. */
    commands: string;
}

/** Finds the bundle and the commands in a job's log. */
export function adviceIn(log: string): BundleAdvice {
    const [, bundle = "", commands = ""] =
        /The change is not lost: it is in the git bundle (\S+)\. To push it, copy the file to a clone, and run (.*)$/m.exec(
            log,
        ) ?? [];
    assert.notEqual(bundle, "", log);
    return { bundle, commands };
}

/** Does what the advice says. */
export async function follow(
    { bundle, commands }: BundleAdvice,
    { folder, remote }: Pick<AgentService, "folder" | "remote">,
): Promise<void> {
    const clone = join(folder, "clone");
    await run("git", ["clone", "--quiet", remote.url, clone]);
    await run("cp", [bundle, join(clone, basename(bundle))]);
    await run("sh", ["-c", commands], { cwd: clone });
}
