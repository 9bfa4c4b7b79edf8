import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * The settings that the kubelet changes for the whole machine when it starts; its other changes stay in its namespaces.
 */
const settings = [
    "kernel/keys/root_maxbytes",
    "kernel/keys/root_maxkeys",
    "kernel/panic",
    "kernel/panic_on_oops",
    "vm/overcommit_memory",
    "vm/panic_on_oom",
];

export type KernelSettings = Readonly<Record<string, string>>;

export async function readKernelSettings(): Promise<KernelSettings> {
    const values: Record<string, string> = {};
    for (const setting of settings) {
        values[setting] = (await readFile(path.join("/proc/sys", setting), "utf8")).trim();
    }
    return values;
}

/** Restores the settings that have changed. */
export async function restoreKernelSettings(saved: KernelSettings): Promise<void> {
    const current = await readKernelSettings();
    for (const [setting, value] of Object.entries(saved)) {
        if (current[setting] !== value) {
            await writeFile(path.join("/proc/sys", setting), value);
        }
    }
}
