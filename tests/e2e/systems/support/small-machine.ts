import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { run } from "@pulumi-static-export/toolchain";

const programs = ["sh", "mount", "mkdir", "chown", "sleep", "poweroff"];

/** Packages for {@link runInMachine}. */
export const machinePackages = ["qemu-system-x86", "cpio", "busybox-static"];

/**
 * Boots Debian's kernel under QEMU with Node.js, BusyBox, a program and nothing else, until the machine turns itself
 * off.
 * @param options.init the first process @param options.program compiled to `/program.mjs`
 * @returns the lines of the console
 */
export async function runInMachine(options: { init: string; program: string; timeoutMs: number }): Promise<string[]> {
    const place = await mkdtemp(join(tmpdir(), "static-export-machine-"));
    try {
        const root = join(place, "root");
        await Promise.all(["bin", "proc", "sys", "dev"].map((name) => mkdir(join(root, name), { recursive: true })));
        await cp("/bin/busybox", join(root, "bin/busybox"));
        await Promise.all(programs.map((name) => symlink("busybox", join(root, "bin", name))));
        await cp(process.execPath, join(root, "bin/node"));
        for (const [library] of (await run("ldd", [process.execPath])).matchAll(/\/\S+/g)) {
            await mkdir(join(root, dirname(library)), { recursive: true });
            await cp(library, join(root, library), { dereference: true });
        }
        await cp(options.init, join(root, "init"));
        const outfile = join(root, "program.mjs");
        await build({ entryPoints: [options.program], outfile, bundle: true, platform: "node", format: "esm" });
        const memory = join(place, "root.cpio");
        await run("sh", ["-c", 'cd "$1" && find . | cpio --quiet -o -H newc > "$2"', "sh", root, memory]);
        const kernel = await fetchKernel(place);
        const child = spawn(
            "qemu-system-x86_64",
            [
                ...["-accel", "tcg", "-cpu", "max", "-m", "1024", "-nic", "none", "-nographic", "-no-reboot"],
                // On a busy machine, the kernel's check of the timer fails.
                ...["-kernel", kernel, "-initrd", memory, "-append", "console=ttyS0 quiet no_timer_check panic=-1"],
            ],
            { stdio: ["ignore", "pipe", "inherit"], timeout: options.timeoutMs },
        );
        const lines: string[] = [];
        for await (const line of createInterface({ input: child.stdout })) {
            lines.push(line);
        }
        return lines;
    } finally {
        await rm(place, { recursive: true });
    }
}

/** Fetches the kernel for virtual machines, without installing it. */
async function fetchKernel(place: string): Promise<string> {
    const depends = await run("apt-cache", ["depends", "linux-image-cloud-amd64"]);
    const name = /Depends: (linux-image-\S+)/.exec(depends)?.[1] ?? "linux-image-cloud-amd64";
    await run("apt-get", ["download", "--quiet", name], { cwd: place });
    const archive = (await readdir(place)).find((file) => file.endsWith(".deb")) ?? "";
    await run("dpkg-deb", ["--extract", join(place, archive), join(place, "kernel")]);
    const boot = join(place, "kernel/boot");
    return join(boot, (await readdir(boot)).find((file) => file.startsWith("vmlinuz")) ?? "");
}
