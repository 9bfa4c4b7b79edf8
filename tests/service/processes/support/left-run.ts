import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ProcessMark } from "../../../../service/src/processes/process-mark.js";

type Command = readonly [string, ...string[]];

/** Runs until it is killed. */
export const endless: Command = ["/bin/sh", "-c", "echo started; exec sleep 600"];

/** Starts {@link endless} in a command around it, and waits until it runs. */
export async function startEndless(
    [program, ...args]: Command,
    variables: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
    const child = spawn(program, args, { env: { PATH: "/usr/bin:/bin", ...variables }, detached: true });
    await once(child.stdout, "data");
    return child;
}

/** Starts a process of a run. */
export function startMarked(place: string, folder: string): Promise<ChildProcess> {
    const mark = ProcessMark.ofRun(place, folder);
    return startEndless(mark.wrap(endless), mark.env);
}

/** Starts a process that uses a folder until it is killed. @returns kills it */
export async function hold(folder: string): Promise<() => Promise<void>> {
    const script = `import { holdFolder } from "./service/src/processes/held-folders.ts";
        const release = holdFolder(process.argv[1]);
        console.log("held");
        // Node.js releases a lock to which nothing refers any more.
        setInterval(() => release.name, 1000);`;
    const child = spawn(process.execPath, ["--import=tsx", "--input-type=module", "-e", script, folder], {
        stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    await mkdir(folder);
    await writeFile(join(folder, "page.md"), "# Page\n");
    const exited = once(child, "exit");
    return async () => {
        child.kill("SIGKILL");
        await exited;
    };
}
