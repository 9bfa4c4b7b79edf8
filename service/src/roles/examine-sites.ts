import { amount } from "@pulumi-static-export/contract";
import { ControlGroups } from "../processes/control-group.js";
import { ProgramUsers } from "../processes/program-user.js";
import { describeLimit, enforcedLimits } from "../processes/run-bounds.js";
import { RunDisks } from "../processes/run-disk.js";
import { forBuilds, Sandbox } from "../processes/sandbox.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { WatchedSites } from "./watched-sites.js";

/** What a sites file asks of a machine. */
export interface ExaminedSites {
    /** Such as "3 sites". */
    readonly count: string;
    readonly faults: readonly string[];
    readonly hasRepositories: boolean;
    /** Undefined if no site has a build; the fault says why builds cannot run here. */
    readonly builds: { readonly fault: string | undefined; readonly weakLimits: readonly string[] } | undefined;
}

/**
 * Reads a sites file as the service would when it starts. Changes nothing.
 * @param dataDir the service's data folder
 */
export function examineSites(sitesFile: string, dataDir: string): ExaminedSites {
    const ignore = () => undefined;
    try {
        const { sites, faults } = new WatchedSites({ sitesFile, logger: { info: ignore, error: ignore } });
        const all = [...sites.values()];
        return {
            count: amount(all.length, "site", "sites"),
            faults,
            hasRepositories: all.some(({ source }) => typeof source !== "string"),
            builds: all.some(({ build }) => build !== undefined) ? examineBuilds(dataDir) : undefined,
        };
    } catch (error) {
        if (!(error instanceof ServiceOptionsError)) {
            throw error;
        }
        return { count: "", faults: [error.message], hasRepositories: false, builds: undefined };
    }
}

function examineBuilds(dataDir: string): ExaminedSites["builds"] {
    try {
        Sandbox.open("/bin/sh", process.env, { ...forBuilds, hasNetwork: true });
        const users = ProgramUsers.open();
        const limits = enforcedLimits({
            users: typeof users === "string" ? users : undefined,
            groups: ControlGroups.findFault(),
            disks: new RunDisks(dataDir).fault,
        });
        return { fault: undefined, weakLimits: limits.filter(({ by }) => by !== "the kernel").map(describeLimit) };
    } catch (error) {
        if (!(error instanceof ServiceOptionsError)) {
            throw error;
        }
        return { fault: error.message, weakLimits: [] };
    }
}
