import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Group } from "./groups.js";
import { type FileResult } from "./results.js";

const mocha = createRequire(import.meta.url).resolve("mocha/bin/mocha.js");
const reporter = fileURLToPath(new URL("file-reporter.ts", import.meta.url));

export interface GroupOptions {
    /** Of mocha, as in `--grep x`. */
    readonly mochaArguments: readonly string[];
    readonly env?: NodeJS.ProcessEnv;
}

/** Runs the specs of a group in a mocha of their own. One that ends before its time counts as a failure. */
export async function runGroup(group: Group, { mochaArguments, env }: GroupOptions): Promise<FileResult[]> {
    const folder = await mkdtemp(join(tmpdir(), "static-export-specs-"));
    const results = join(folder, "results.json");
    const parallel = group.jobs > 1 && group.files.length > 1 ? ["--parallel", `--jobs=${group.jobs}`] : [];
    const options = [
        ...["--no-config", "--exit", `--timeout=${group.timeoutMs}`, "--require=./tests/fixed-seed.ts", ...parallel],
        ...[`--reporter=${reporter}`, `--reporter-option=results=${results}`, ...mochaArguments],
    ];
    try {
        const child = spawn(process.execPath, ["--import=tsx", mocha, ...options, ...group.files], {
            stdio: ["ignore", "inherit", "inherit"],
            env: { ...process.env, ...env },
        });
        const [exitCode, signal] = (await once(child, "exit")) as [number | null, string | null];
        const text = await readFile(results, "utf8").catch(() => undefined);
        if (text !== undefined) {
            return JSON.parse(text) as FileResult[];
        }
        const message = `Its mocha ended with ${signal ?? exitCode} before it had reported; see the output above.`;
        const failure = {
            file: `${group.files.length} files`,
            title: `the specs of the group "${group.name}"`,
            message,
        };
        return [{ file: failure.file, passing: 0, pending: [], failures: [failure], seconds: 0 }];
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

/** The group with only those files that have a spec to run; nothing of them runs. */
export async function withMatchingFiles(group: Group, options: GroupOptions): Promise<Group> {
    const listed = await runGroup(group, {
        ...options,
        mochaArguments: [...options.mochaArguments, "--dry-run", "--reporter-option=quiet=true"],
    });
    const matching = new Set(listed.filter(({ passing }) => passing > 0).map(({ file }) => file));
    return { ...group, files: group.files.filter((file) => matching.has(file)) };
}
