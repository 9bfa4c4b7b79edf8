import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Every process of a run inherits this variable, even if it changes its process group or parent. */
export const runMarker = "STATIC_EXPORT_AGENT_RUN";

const mostRounds = 100;

/**
 * Kills every process whose mark begins with `prefix`, and returns when none is left: including those that left their
 * process group, and those that a killed service left behind. On a machine without /proc it finds none.
 */
export async function killMarked(prefix: string): Promise<void> {
    for (let round = 0; round < mostRounds; round += 1) {
        const pids = await findMarked(`${runMarker}=${prefix}`);
        if (pids.length === 0) {
            return;
        }
        for (const pid of pids) {
            try {
                process.kill(pid, "SIGKILL");
            } catch {
                // It has ended meanwhile.
            }
        }
        await sleep(10);
    }
    throw new Error("Processes of an earlier agent run cannot be ended.");
}

/** Gives such processes ten seconds to exit, then kills them. */
export async function awaitMarked(prefix: string): Promise<void> {
    for (let look = 0; look < 100 && (await findMarked(`${runMarker}=${prefix}`)).length > 0; look += 1) {
        await sleep(100);
    }
    await killMarked(prefix);
}

async function findMarked(entry: string): Promise<number[]> {
    const names = (await readdir("/proc").catch((): string[] => [])).filter((name) => /^\d+$/.test(name));
    const marked = await Promise.all(
        names.map(async (name) => {
            // Unreadable: another user's process. Empty: a zombie.
            const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "");
            return environment.split("\0").some((variable) => variable.startsWith(entry));
        }),
    );
    return names.filter((_name, index) => marked[index]).map(Number);
}
