import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDebianPackages, run } from "@pulumi-static-export/toolchain";
import { waitUntil } from "../../../wait-until.js";

const program = fileURLToPath(new URL("caseless-disk.py", import.meta.url));

/** A disk as macOS and Windows have it: it ignores the case and the Unicode form of names. */
export class CaselessDisk {
    private constructor(
        /** The mounted disk. */
        readonly folder: string,
        private readonly root: string,
        private readonly process: ChildProcess,
    ) {}

    /** Skips the suite, with the reason, on a machine without FUSE. */
    static async mount(suite: { skip(): void }): Promise<CaselessDisk> {
        if (!existsSync("/dev/fuse")) {
            console.log("      skipped: this machine has no /dev/fuse");
            suite.skip();
        }
        await ensureDebianPackages(["fuse3", "python3-fusepy"]);
        const root = await mkdtemp(join(tmpdir(), "caseless-disk-"));
        const [stored, folder] = [join(root, "stored"), join(root, "disk")];
        await mkdir(stored);
        await mkdir(folder);
        // Debian's packages are for Debian's Python.
        const process = spawn("/usr/bin/python3", [program, stored, folder], {
            stdio: ["ignore", "inherit", "inherit"],
        });
        await waitUntil("the disk is mounted", async () => {
            const isMounted = (await readFile("/proc/mounts", "utf8")).includes(` ${folder} fuse`);
            return isMounted || process.exitCode !== null ? true : undefined;
        });
        return new CaselessDisk(folder, root, process);
    }

    async unmount(): Promise<void> {
        const ended = once(this.process, "exit");
        await run("fusermount3", ["-u", this.folder]);
        await ended;
        await rm(this.root, { recursive: true });
    }
}
