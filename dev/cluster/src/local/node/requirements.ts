import which from "which";
import { run } from "@pulumi-static-export/toolchain";

/** The programs that the local cluster needs on this machine, besides Go. */
const programs = {
    "apt-get": "apt-get (Debian or Ubuntu)",
    chroot: "chroot",
    "dpkg-deb": "dpkg-deb",
    mount: "mount",
    nsenter: "nsenter",
    pivot_root: "pivot_root",
    tar: "tar",
    unshare: "unshare",
};

export interface Machine {
    readonly platform: NodeJS.Platform;
    readonly architecture: string;
    readonly userId: number | undefined;
    isOnPath(program: string): Promise<boolean>;
    mayMakeNamespaces(): Promise<boolean>;
}

const thisMachine: Machine = {
    platform: process.platform,
    architecture: process.arch,
    userId: process.getuid?.(),
    isOnPath: async (program) => (await which(program, { nothrow: true })) !== null,
    mayMakeNamespaces: () =>
        run("unshare", ["--mount", "--net", "--pid", "--fork", "true"]).then(
            () => true,
            () => false,
        ),
};

/**
 * Returns the reasons why this machine cannot run a local cluster, as clauses; empty if the machine can run a cluster.
 */
export async function missingRequirements(machine: Machine = thisMachine): Promise<string[]> {
    if (machine.platform !== "linux") {
        return [`it needs Linux, but this is ${machine.platform}`];
    }
    const missing: string[] = [];
    if (!["x64", "arm64"].includes(machine.architecture)) {
        missing.push(`it needs an x64 or arm64 processor, but this is ${machine.architecture}`);
    }
    for (const [program, shown] of Object.entries(programs)) {
        if (!(await machine.isOnPath(program))) {
            missing.push(`${shown} is not installed`);
        }
    }
    if (machine.userId !== 0) {
        missing.push("it needs root (run it with sudo)");
    } else if (missing.length === 0 && !(await machine.mayMakeNamespaces())) {
        missing.push("root may not create namespaces here (a container needs to be privileged)");
    }
    return missing;
}
