import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort, readJson } from "@pulumi-static-export/toolchain";

export const adminKeyPrefix = "quickstart_";

/** Settings that a checkout's quickstart preserves between runs. */
export interface QuickstartSettings {
    adminApiKey: string;
    passphrase: string;
    /** The admin service keeps its port, because links in the stack's state contain it. */
    servicePort: number;
    sitePort: number;
}

/** A quickstart that currently serves a site. */
export interface RunningQuickstart {
    pid: number;
    serviceAddress: string;
    /** Absent if a cluster serves the site. */
    siteAddress?: string;
}

/** The folder of a checkout's quickstart: owner-only, not committed, and safe to delete while nothing runs. */
export class QuickstartFolder {
    constructor(private readonly root: string) {}

    get path(): string {
        return join(this.root, ".quickstart");
    }

    sub(name: string): string {
        return join(this.path, name);
    }

    /** Returns the settings of an earlier run, or new settings. */
    async settings(): Promise<QuickstartSettings> {
        const path = this.sub("settings.json");
        const saved = (await readJson(path)) as QuickstartSettings | undefined;
        if (saved) {
            return saved;
        }
        await mkdir(this.path, { recursive: true, mode: 0o700 });
        const settings = {
            adminApiKey: `${adminKeyPrefix}${randomBytes(24).toString("hex")}`,
            passphrase: randomBytes(24).toString("hex"),
            servicePort: await freePort(),
            sitePort: await freePort(),
        };
        await writeFile(path, JSON.stringify(settings), { mode: 0o600 });
        return settings;
    }

    /** Returns the quickstart that currently serves from this folder, if any. */
    async running(): Promise<RunningQuickstart | undefined> {
        const running = (await readJson(this.sub("running.json"))) as RunningQuickstart | undefined;
        return running && isAlive(running.pid) && (await answers(running.serviceAddress)) ? running : undefined;
    }

    async saveRunning(running: RunningQuickstart): Promise<void> {
        await writeFile(this.sub("running.json"), JSON.stringify(running), { mode: 0o600 });
    }

    async forgetRunning(): Promise<void> {
        await rm(this.sub("running.json"), { force: true });
    }

    async reset(): Promise<void> {
        await rm(this.path, { recursive: true, force: true });
    }
}

const answersWithinMs = 5000;

function isAlive(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return true;
    } catch {
        return false;
    }
}

/**
 * Checks that the service responds: a killed process does not remove its record, and another program may now have its
 * id.
 */
async function answers(serviceAddress: string): Promise<boolean> {
    const url = new URL("/openapi.json", serviceAddress);
    return fetch(url, { signal: AbortSignal.timeout(answersWithinMs) }).then(
        ({ ok }) => ok,
        () => false,
    );
}
