import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyingExporter } from "../../../service/support/scripted-exporter.js";
import { yamlProgram } from "../../plugin/support/yaml-program.js";
import { EngineStack } from "../../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../../support/platform.js";
import { killTree } from "../../support/process-tree.js";
import type { RunningCommand } from "../../support/run-command.js";
import { type Cut, CutLink } from "./cut-link.js";
import type { Death, Loss, NextRun } from "./guide-table.js";

const programs = {
    "a dynamic resource": `new StaticExportBundle("docs", { domain: "${domain}" });`,
    "the plugin's resource": yamlProgram({ domain }),
    "two resources": new URL("../../../../examples/separate-start/", import.meta.url),
} as const;

export type Way = keyof typeof programs;
export const ways = Object.keys(programs) as Way[];

export interface Accident {
    death: Death;
    honoursKeys: boolean;
}

/** The data that a machine loses in an accident, and the runs after it. */
interface Aftermath {
    loss: Loss;
    nextRuns: readonly NextRun[];
}

const cuts = {
    "before the start": "before a start",
    "while the start is answered": "before the answer to a start",
    "during the wait": "before a status",
    "between the bundle and the checkpoint": "before the answer with a bundle",
    "after the checkpoint": undefined,
} as const satisfies Record<Death, Cut | undefined>;

const pipelineRun = (id: string) => ({ GITHUB_ACTIONS: "true", GITHUB_RUN_ID: id });
const firstRun = pipelineRun("1");
const environmentOf = (nextRun: NextRun, loss: Loss): NodeJS.ProcessEnv => {
    switch (nextRun) {
        case "the same run again":
            return firstRun;
        case "another run":
            // Each loss uses a different run, because the key of a run finds the job that the run started.
            return pipelineRun(loss === "disk" ? "2" : "3");
        case "a laptop":
            return {};
    }
};

/** A program whose machine is lost repeatedly. Its checkpoints are in a folder that machines share. */
export class LostMachine {
    private constructor(
        private readonly stack: EngineStack,
        /** Copies of the shared folder. */
        private readonly checkpoints: string,
    ) {}

    static async of(way: Way, pathFolders: readonly string[]): Promise<LostMachine> {
        const stack = await EngineStack.create({ program: programs[way], pathFolders });
        const machine = new LostMachine(stack, await mkdtemp(join(tmpdir(), "static-export-checkpoints-")));
        await machine.#keep("before");
        return machine;
    }

    /**
     * Loses the machine and some of its data, and returns the action of each later run, in the words of the guide's
     * table. All runs must succeed.
     */
    async lose({ death, honoursKeys }: Accident, aftermaths: readonly Aftermath[]): Promise<string[][]> {
        const platform = await Platform.start({ exporter: copyingExporter });
        const link = await CutLink.before(platform.service.url, { passesKeys: honoursKeys });
        try {
            await this.#enterMachineWith("before");
            await this.#runUntil(link, cuts[death]);
            const hadStarted = link.jobs.size > 0;
            await this.#keep("after");
            const ends: string[][] = [];
            for (const { loss, nextRuns } of aftermaths) {
                const endsOfLoss: string[] = [];
                for (const nextRun of nextRuns) {
                    await this.#enterMachineWith(loss === "disk" ? "after" : "before");
                    const isFound = await this.#findsJob(link, environmentOf(nextRun, loss));
                    endsOfLoss.push(isFound ? "found" : hadStarted ? "**again**" : "starts it");
                }
                ends.push(endsOfLoss);
            }
            return ends;
        } finally {
            link.stop();
            await platform.stop();
        }
    }

    async remove(): Promise<void> {
        await this.stack.remove();
        await rm(this.checkpoints, { recursive: true, force: true });
    }

    async #findsJob(link: CutLink, env: NodeJS.ProcessEnv): Promise<boolean> {
        const jobsBefore = link.jobs.size;
        const { exitCode, output } = await this.#up(link, env).result;
        if (exitCode !== 0) {
            throw new Error(output);
        }
        return link.jobs.size === jobsBefore;
    }

    /** Starts the first run, and ends it when a message has reached the cut. */
    async #runUntil(link: CutLink, cut: Cut | undefined): Promise<void> {
        const reached = cut && link.cutAt(cut);
        const run = this.#up(link, firstRun);
        if (reached === undefined) {
            await run.result;
            return;
        }
        await Promise.race([reached, run.result.then(({ output }) => Promise.reject(new Error(output)))]);
        killTree(run.child.pid!);
        await run.result;
        link.restore();
        await this.stack.succeed("cancel", "dev", "--yes");
    }

    #up(link: CutLink, env: NodeJS.ProcessEnv): RunningCommand {
        return this.stack.startOther(
            "pulumi",
            ["up", "--yes", "--skip-preview", "--stack", "dev", "--non-interactive"],
            {
                STATIC_EXPORT_BASE_URL: link.url,
                STATIC_EXPORT_ADMIN_API_KEY: adminApiKey,
                ...env,
            },
        );
    }

    #keep(name: string): Promise<void> {
        return replaceFolder(join(this.stack.folder, "state"), join(this.checkpoints, name));
    }

    /** Continues on a machine with only the program and these checkpoints on its disk. */
    async #enterMachineWith(name: string): Promise<void> {
        for (const lost of ["home", "journal"]) {
            await rm(join(this.stack.folder, lost), { recursive: true, force: true });
        }
        await replaceFolder(join(this.checkpoints, name), join(this.stack.folder, "state"));
    }
}

async function replaceFolder(from: string, to: string): Promise<void> {
    await rm(to, { recursive: true, force: true });
    await cp(from, to, { recursive: true });
}
