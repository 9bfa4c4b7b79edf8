import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { exists } from "@pulumi-static-export/toolchain";

const cgroupMount = "/sys/fs/cgroup";

/** Creates the control group for the kubelet's pods in every hierarchy of this kernel. */
export async function createControlGroup(name: string): Promise<void> {
    for (const hierarchy of await hierarchies()) {
        await mkdir(path.join(hierarchy, name), { recursive: true });
        await passOnControllers(hierarchy);
        await passOnControllers(path.join(hierarchy, name));
    }
    // In version 1, a new cpuset group starts empty, and no process can join it until these values are set.
    for (const file of ["cpuset.cpus", "cpuset.mems"]) {
        const inRoot = path.join(cgroupMount, "cpuset", file);
        const value = await readFile(inRoot, "utf8").catch(() => undefined);
        if (value !== undefined) {
            await writeFile(path.join(cgroupMount, "cpuset", name, file), value.trim());
        }
    }
}

/** Removes the control group and everything below it, which is possible only when no process is left in the group. */
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

/**
 * Returns the hierarchies of control groups. Version 2 has one hierarchy. Version 1 has a folder for each hierarchy;
 * some folders are links to others.
 */
async function hierarchies(): Promise<string[]> {
    if (await exists(path.join(cgroupMount, "cgroup.controllers"))) {
        return [cgroupMount];
    }
    const entries = await readdir(cgroupMount, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(cgroupMount, entry.name));
}

/**
 * Enables a group's controllers for its children, because in version 2 a group has only the controllers that its parent
 * enables.
 */
async function passOnControllers(group: string): Promise<void> {
    const controllers = await readFile(path.join(group, "cgroup.controllers"), "utf8").catch(() => "");
    for (const controller of controllers.split(/\s+/).filter((name) => name !== "")) {
        // Some controllers cannot be enabled everywhere; the kubelet reports missing controllers that it needs.
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
