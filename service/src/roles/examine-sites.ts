import { amount } from "@pulumi-static-export/contract";
import { type GitSource, resolveGitTokens } from "../exports/git-source.js";
import { SiteCheckouts } from "../exports/site-checkouts.js";
import { limitTable } from "../options/option-table.js";
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
    /** The repositories of the sites, by domain. */
    readonly repositories: ReadonlyMap<string, GitSource>;
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
            repositories: new Map(
                [...sites].flatMap(([domain, { source }]) => (typeof source === "string" ? [] : [[domain, source]])),
            ),
            builds: all.some(({ build }) => build !== undefined) ? examineBuilds(dataDir) : undefined,
        };
    } catch (error) {
        if (!(error instanceof ServiceOptionsError)) {
            throw error;
        }
        return { count: "", faults: [error.message], repositories: new Map(), builds: undefined };
    }
}

/** How many repositories are asked at the same time. */
const maxAsked = 8;
const maxAskMs = 30_000;

/**
 * Asks each repository for its branch, as exports of a service of this user would.
 *
 * @param options.tokens - the values of the service's `--git-token-env`, by origin
 * @returns the faults, with their remedies
 * @throws ServiceOptionsError for a token that no service accepts
 */
export async function findRepositoryFaults(
    repositories: ReadonlyMap<string, GitSource>,
    { dataDir, tokens, env }: { dataDir: string; tokens: Readonly<Record<string, string>>; env: NodeJS.ProcessEnv },
): Promise<{ fault: string; advice: string }[]> {
    const limits = { maxBytes: 0, memoryMegabytes: limitTable.exportMemoryMegabytes.default };
    const checkouts = new SiteCheckouts({ dataDir, tokens: resolveGitTokens(tokens), ...limits, env });
    const waiting = [...repositories];
    const found = new Map<string, { fault: string; advice: string }>();
    const ask = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
            const [domain, source] = next;
            const signal = AbortSignal.timeout(maxAskMs);
            const late = {
                fault: `${source.url} did not answer within 30 s`,
                advice: "Check its address and the network",
            };
            const result = await checkouts.findFault(source, signal).catch(() => late);
            if (result !== undefined) {
                found.set(domain, result);
            }
        }
    };
    await Promise.all(Array.from({ length: maxAsked }, ask));
    return [...repositories.keys()].flatMap((domain) => {
        const { fault, advice } = found.get(domain) ?? {};
        return fault === undefined || advice === undefined ? [] : [{ fault: `${domain}: ${fault}`, advice }];
    });
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
