import { spawn } from "node:child_process";
import { mkdir, open, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { run, type RunOptions } from "@pulumi-static-export/toolchain";
import { parseProcessStat, type ProcessIdentity } from "../../cluster/process-identity.js";

/**
 * Runs as the first process of new mount, network, PID, UTS and IPC namespaces. When this process ends for any reason,
 * the kernel kills every other process in the namespaces, and then removes their mounts, interfaces, addresses and
 * packet filter rules, so no part of the cluster can outlive this process.
 */
const setupScript = `
set -eu
# Seen through the machine's own /proc, so this is the id by which to find this process from outside.
read -r stat < /proc/self/stat
read -r boot_id < /proc/sys/kernel/random/boot_id
printf '%s\\n' "$stat" "$boot_id" > "$STATE/init-process"

mount --bind "$NODE_ROOT" "$NODE_ROOT"
cd "$NODE_ROOT"
mount -o remount,bind,ro "$NODE_ROOT"
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount --bind "$STATE/var" var
mount --bind "$STATE/etc" etc/static-export
mount --bind "$KUBERNETES" opt/kubernetes
mount --bind "$KUBE_ROUTER" opt/kube-router
mount --rbind /dev dev
mount -t proc proc proc
mount -t sysfs sysfs sys
mount --rbind /sys/fs/cgroup sys/fs/cgroup
pivot_root . mnt
exec /bin/busybox sh -euc '
    busybox umount -l /mnt
    busybox hostname "$NODE"
    ip link set lo up
    echo 1 > /proc/sys/net/ipv4/ip_forward
    if [ -e /proc/sys/net/ipv6 ]; then echo 1 > /proc/sys/net/ipv6/conf/all/forwarding; fi
    echo > /var/namespace-ready
    exec tini -- busybox tail -f /dev/null
'
`;

const pathInside = "/usr/sbin:/usr/bin:/sbin:/bin";

interface NodeNamespaceOptions {
    readonly nodeRoot: string;
    /** The folder with the Kubernetes program. */
    readonly kubernetesFolder: string;
    /** The folder with kube-router. */
    readonly kubeRouterFolder: string;
    readonly stateFolder: string;
    readonly logFile: string;
    readonly nodeName: string;
}

/** Starts the namespaces in the background; they are ready once {@link namespaceReadyFile} exists. */
export async function startNamespace(options: NodeNamespaceOptions): Promise<{ exited: Promise<string> }> {
    const { nodeRoot, kubernetesFolder, kubeRouterFolder, stateFolder, logFile, nodeName } = options;
    for (const folder of ["cache", "lib", "log", "tmp"]) {
        await mkdir(path.join(stateFolder, "var", folder), { recursive: true });
    }
    await symlink("../run", path.join(stateFolder, "var", "run"));
    await mkdir(path.join(stateFolder, "etc"), { recursive: true, mode: 0o700 });
    const namespaces = ["--mount", "--net", "--pid", "--uts", "--ipc", "--fork", "--kill-child"];
    return startDetached(["unshare", ...namespaces, "sh", "-c", setupScript], logFile, {
        PATH: `${process.env["PATH"] ?? ""}:${pathInside}`,
        STATE: stateFolder,
        NODE_ROOT: nodeRoot,
        KUBERNETES: kubernetesFolder,
        KUBE_ROUTER: kubeRouterFolder,
        NODE: nodeName,
    });
}

export function namespaceReadyFile(stateFolder: string): string {
    return path.join(stateFolder, "var", "namespace-ready");
}

/**
 * Returns the process whose end stops the whole cluster; its id is recorded immediately, in case its starter is killed.
 */
export async function readInitProcess(stateFolder: string): Promise<ProcessIdentity | undefined> {
    const text = await readFile(path.join(stateFolder, "init-process"), "utf8").catch(() => "");
    const [line = "", bootId = ""] = text.split("\n");
    const stat = parseProcessStat(line);
    return stat && { pid: stat.pid, startTime: stat.startTime, bootId };
}

/** Runs a program in the namespaces to completion; see {@link run}. */
export function runInNamespace(
    init: ProcessIdentity,
    command: readonly string[],
    options: Pick<RunOptions, "signal"> = {},
): Promise<string> {
    const [program, ...args] = inNamespace(init, command);
    return run(program, args, { ...options, env: environmentInside });
}

/** Returns the command line that runs a program in the namespaces. */
export function inNamespace(init: ProcessIdentity, command: readonly string[]): [string, ...string[]] {
    const namespaces = ["--mount", "--net", "--pid", "--uts", "--ipc"];
    return ["nsenter", "--target", String(init.pid), ...namespaces, "--", ...command];
}

export const environmentInside = { PATH: pathInside, LC_ALL: "C.UTF-8" };

/**
 * Starts a program that outlives this process and writes to a log file; `exited` resolves to a description of how the
 * program ended.
 */
export async function startDetached(
    [program, ...args]: [string, ...string[]],
    logFile: string,
    env: NodeJS.ProcessEnv,
): Promise<{ pid: number | undefined; exited: Promise<string> }> {
    const log = await open(logFile, "a", 0o600);
    try {
        const child = spawn(program, args, { cwd: "/", detached: true, env, stdio: ["ignore", log.fd, log.fd] });
        const exited = new Promise<string>((resolve) => {
            child.once("error", (error) => resolve(error.message));
            child.once("exit", (code, signal) =>
                resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`),
            );
        });
        child.unref();
        return { pid: child.pid, exited };
    } finally {
        await log.close();
    }
}
