import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { exists } from "@pulumi-static-export/toolchain";

const cgroupMount = "/sys/fs/cgroup";

/** Makes the control group under which the kubelet puts its pods, in every hierarchy that this kernel has. */
export async function createControlGroup(name: string): Promise<void> {
    for (const hierarchy of await hierarchies()) {
        await mkdir(path.join(hierarchy, name), { recursive: true });
        await passOnControllers(hierarchy);
        await passOnControllers(path.join(hierarchy, name));
    }
    // The kubelet's group inherits nothing here, and no process may enter it while this is empty (version 1 only).
    for (const file of ["cpuset.cpus", "cpuset.mems"]) {
        const inRoot = path.join(cgroupMount, "cpuset", file);
        const value = await readFile(inRoot, "utf8").catch(() => undefined);
        if (value !== undefined) {
            await writeFile(path.join(cgroupMount, "cpuset", name, file), value.trim());
        }
    }
}

/** Removes that control group with everything below it, which works once no process is left in there. */
export async function removeControlGroup(name: string): Promise<void> {
    for (const hierarchy of await hierarchies()) {
        await removeGroup(path.join(hierarchy, name));
    }
}

export async function controlGroupExists(name: string): Promise<boolean> {
    for (const hierarchy of await hierarchies()) {
        if (await exists(path.join(hierarchy, name))) {
            return true;
        }
    }
    return false;
}

/** Version 2 has one hierarchy; version 1 has a folder for each, some of them links to others. */
async function hierarchies(): Promise<string[]> {
    if (await exists(path.join(cgroupMount, "cgroup.controllers"))) {
        return [cgroupMount];
    }
    const entries = await readdir(cgroupMount, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(cgroupMount, entry.name));
}

/** In version 2 a group has only those controllers that its parent passes on. */
async function passOnControllers(group: string): Promise<void> {
    const controllers = await readFile(path.join(group, "cgroup.controllers"), "utf8").catch(() => "");
    for (const controller of controllers.split(/\s+/).filter((name) => name !== "")) {
        // Some cannot be passed on everywhere; the kubelet says which it misses.
        await writeFile(path.join(group, "cgroup.subtree_control"), `+${controller}`).catch(() => undefined);
    }
}

async function removeGroup(group: string): Promise<void> {
    const entries = await readdir(group, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) {
        return;
    }
    for (const entry of entries) {
        if (entry.isDirectory()) {
            await removeGroup(path.join(group, entry.name));
        }
    }
    await rmdir(group);
}
