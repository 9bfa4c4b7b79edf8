import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { run } from "@pulumi-static-export/toolchain";
import { type Distribution } from "./distributions.js";

/** Packages for {@link bootSystemd}. */
export const systemdPackages = ["qemu-system-x86", "mmdebstrap", "e2fsprogs"];

/** Runs a program as root, as soon as the system is up; turns the machine off when it has ended. */
const unit = `[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/usr/local/bin/node /root/program.mjs
ExecStopPost=/bin/systemctl poweroff --force --force
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
[Install]
WantedBy=multi-user.target
`;

export interface SystemdMachine {
    readonly distribution: Distribution;
    /** Packages besides systemd. */
    readonly packages: readonly string[];
    /** Changes the file system before the machine starts. @param root the machine's `/` */
    readonly prepare: (root: string) => Promise<void>;
    /** The code of a module for Node.js, which runs as root in the machine. */
    readonly program: string;
    readonly memoryMegabytes: number;
    readonly diskGigabytes: number;
    readonly timeoutMs: number;
}

/**
 * Boots a distribution with systemd and control groups v2 under QEMU's emulation, without a network, until its program
 * ends.
 * @returns the lines of the console
 */
export async function bootSystemd(machine: SystemdMachine): Promise<string[]> {
    const place = await mkdtemp(join(tmpdir(), "static-export-systemd-"));
    try {
        const root = join(place, "root");
        await install(root, machine.distribution, machine.packages);
        await cp(process.execPath, join(root, "usr/local/bin/node"));
        await writeFile(join(root, "root/program.mjs"), machine.program);
        const units = join(root, "etc/systemd/system");
        await writeFile(join(units, "program.service"), unit);
        await mkdir(join(units, "multi-user.target.wants"), { recursive: true });
        await symlink("../program.service", join(units, "multi-user.target.wants/program.service"));
        // Its login prompt would take the console from the program.
        await symlink("/dev/null", join(units, "serial-getty@ttyS0.service"));
        await machine.prepare(root);
        const disk = join(place, "disk.img");
        await writeFile(disk, "");
        await truncate(disk, machine.diskGigabytes * 2 ** 30);
        await run("mkfs.ext4", ["-q", "-d", root, disk]);
        return await boot(join(root, "boot"), disk, machine);
    } finally {
        await rm(place, { recursive: true });
    }
}

async function install(root: string, distribution: Distribution, packages: readonly string[]): Promise<void> {
    // Node.js needs the library.
    const include = `--include=${[...distribution.packages, ...packages, "libstdc++6"].join(",")}`;
    await distribution.withSources((release, source) =>
        run("mmdebstrap", ["--variant=minbase", "--mode=root", "--quiet", include, release, root, source]),
    );
}

async function boot(kernels: string, disk: string, machine: SystemdMachine): Promise<string[]> {
    const files = await readdir(kernels);
    const [kernel, memory] = ["vmlinuz-", "initrd.img-"].map((start) =>
        join(kernels, files.find((file) => file.startsWith(start)) ?? ""),
    );
    const child = spawn(
        "qemu-system-x86_64",
        [
            ...["-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", String(machine.memoryMegabytes)],
            ...["-nic", "none", "-nographic", "-no-reboot", "-kernel", kernel ?? "", "-initrd", memory ?? ""],
            // On a busy machine, the kernel's check of the timer fails.
            ...["-append", "root=/dev/vda rw console=ttyS0 quiet no_timer_check panic=-1"],
            ...["-drive", `file=${disk},if=virtio,format=raw,cache=unsafe`],
        ],
        { stdio: ["ignore", "pipe", "inherit"], timeout: machine.timeoutMs },
    );
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
        lines.push(line);
    }
    return lines;
}
