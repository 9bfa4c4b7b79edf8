import { amount } from "@pulumi-static-export/contract";
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
    readonly builds: { readonly fault: string | undefined } | undefined;
}

/** Reads a sites file as the service would when it starts. Changes nothing. */
export function examineSites(sitesFile: string): ExaminedSites {
    const ignore = () => undefined;
    try {
        const { sites, faults } = new WatchedSites({ sitesFile, logger: { info: ignore, error: ignore } });
        const all = [...sites.values()];
        return {
            count: amount(all.length, "site", "sites"),
            faults,
            hasRepositories: all.some(({ source }) => typeof source !== "string"),
            builds: all.some(({ build }) => build !== undefined) ? { fault: findSandboxFault() } : undefined,
        };
    } catch (error) {
        if (!(error instanceof ServiceOptionsError)) {
            throw error;
        }
        return { count: "", faults: [error.message], hasRepositories: false, builds: undefined };
    }
}

function findSandboxFault(): string | undefined {
    try {
        Sandbox.open("/bin/sh", process.env, { ...forBuilds, hasNetwork: true });
        return undefined;
    } catch (error) {
        if (!(error instanceof ServiceOptionsError)) {
            throw error;
        }
        return error.message;
    }
}
