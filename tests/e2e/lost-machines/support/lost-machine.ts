import { rm } from "node:fs/promises";
import { join } from "node:path";
import { copyingExporter } from "../../../service/support/scripted-exporter.js";
import { yamlProgram } from "../../plugin/support/yaml-program.js";
import { EngineStack } from "../../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../../support/platform.js";
import { killTree } from "../../support/process-tree.js";
import { type Cut, CutLink } from "./cut-link.js";
import type { Death, Loss, NextRun } from "./guide-table.js";

const programs = {
    "a dynamic resource": `new StaticExportBundle("docs", { domain: "${domain}" });`,
    "the plugin's resource": yamlProgram({ domain }),
    "two resources": new URL("../../../../examples/separate-start/", import.meta.url),
} as const;

const cuts = {
    "while the start is answered": "before the answer to a start",
    "during the wait": "before a status",
} as const satisfies Partial<Record<Death, Cut>>;

/** A machine that dies, the data that it loses, and the run after it. */
export interface Accident {
    way: keyof typeof programs;
    death: keyof typeof cuts;
    honoursKeys: boolean;
    loss: Loss;
    nextRun: Extract<NextRun, "the same run again" | "a laptop">;
}

const firstRun = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "1" };

/** Loses the machine and its data, and returns what the next run does, in the words of the guide's table. */
export async function loseMachine(
    { way, death, honoursKeys, loss, nextRun }: Accident,
    pathFolders: readonly string[],
): Promise<string> {
    const platform = await Platform.start({ exporter: copyingExporter });
    const link = await CutLink.before(platform.service.url, { passesKeys: honoursKeys });
    const env = { STATIC_EXPORT_BASE_URL: link.url, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey };
    const stack = await EngineStack.create({ program: programs[way], pathFolders });
    const up = (run: NodeJS.ProcessEnv) => {
        const args = ["up", "--yes", "--skip-preview", "--stack", "dev", "--non-interactive"];
        return stack.startOther("pulumi", args, { ...env, ...run });
    };
    try {
        const reached = link.cutAt(cuts[death]);
        const run = up(firstRun);
        await Promise.race([reached, run.result.then(({ output }) => Promise.reject(new Error(output)))]);
        killTree(run.child.pid!);
        await run.result;
        link.restore();
        await stack.succeed("cancel", "dev", "--yes");
        for (const lost of ["home", "journal"]) {
            await rm(join(stack.folder, lost), { recursive: true, force: true });
        }
        if (loss === "disk and checkpoint") {
            await stack.succeed("stack", "rm", "dev", "--yes", "--force", "--preserve-config");
            await stack.succeed("stack", "init", "dev");
        }
        const jobsBefore = link.jobs.size;
        const { exitCode, output } = await up(nextRun === "a laptop" ? {} : firstRun).result;
        if (exitCode !== 0) {
            throw new Error(output);
        }
        return link.jobs.size === jobsBefore ? "found" : "**again**";
    } finally {
        await stack.remove();
        link.stop();
        await platform.stop();
    }
}
