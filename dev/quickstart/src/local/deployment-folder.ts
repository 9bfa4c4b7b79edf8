import { createHash } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readJson } from "@pulumi-static-export/toolchain";

/**
 * The values that configure a self-hosted deployment (docs/reference/admin-api.md, "Deployment settings that consume a
 * bundle").
 */
export interface StaticExportValues {
    enabled: boolean;
    bundleUrl: string;
    version?: string | undefined;
}

/** The result of applying values to a deployment. */
interface Outcome {
    key: string;
    /** The reason why the values were not applied; absent if their site is live. */
    error?: string;
}

interface HandOverOptions {
    /** Whether a process still runs the deployment in this folder. */
    isRunning: () => Promise<boolean>;
    signal: AbortSignal;
}

const outcomeFile = "outcome.json";
const lookAgainAfterMs = 200;

/** The folder of a deployment: any process can write values here and read whether they were applied. */
export class DeploymentFolder {
    static readonly valuesFile = "values.json";

    constructor(private readonly path: string) {}

    /** Returns undefined until values have been written. */
    async readValues(): Promise<StaticExportValues | undefined> {
        return readJson(join(this.path, DeploymentFolder.valuesFile)) as Promise<StaticExportValues | undefined>;
    }

    async writeValues(values: StaticExportValues): Promise<void> {
        await this.#write(DeploymentFolder.valuesFile, values);
    }

    async writeOutcome(values: StaticExportValues, error?: Error): Promise<void> {
        await this.#write(outcomeFile, { key: keyOf(values), ...(error && { error: error.message }) });
    }

    /**
     * Passes values to the deployment that another process runs, and resolves when its site is live.
     *
     * @throws when the deployment cannot apply the values, or ends before it has applied them
     */
    async handOver(values: StaticExportValues, { isRunning, signal }: HandOverOptions): Promise<void> {
        await rm(join(this.path, outcomeFile), { force: true });
        await this.writeValues(values);
        let outcome = await this.#outcomeOf(values);
        while (outcome === undefined) {
            if (!(await isRunning())) {
                throw new Error("The quickstart that was running has ended: run this again.");
            }
            await delay(lookAgainAfterMs, undefined, { signal });
            outcome = await this.#outcomeOf(values);
        }
        if (outcome.error !== undefined) {
            throw new Error(`The new values were not applied, and the old site stays live: ${outcome.error}`);
        }
    }

    async #outcomeOf(values: StaticExportValues): Promise<Outcome | undefined> {
        const outcome = (await readJson(join(this.path, outcomeFile))) as Outcome | undefined;
        return outcome?.key === keyOf(values) ? outcome : undefined;
    }

    /** Atomically writes a file that only its owner can read, because the link is a secret. */
    async #write(name: string, content: object): Promise<void> {
        const draft = join(this.path, `.${name}.${process.pid}`);
        await writeFile(draft, JSON.stringify(content), { mode: 0o600 });
        await rename(draft, join(this.path, name));
    }
}

/** Returns the same key for every link to the same bundle, so that a renewed link does not replace the site. */
export function keyOf({ bundleUrl, version }: StaticExportValues): string {
    const { pathname } = new URL(bundleUrl);
    return createHash("sha256")
        .update(JSON.stringify([pathname, version]))
        .digest("hex")
        .slice(0, 16);
}
