import { parseUrn } from "@pulumi-static-export/contract";
import { type EngineEvent } from "./engine-event.js";
import { asRecord, asString, asStrings } from "./property-value.js";

export type PolicyLevel = "mandatory" | "advisory" | "remediated";

export interface PolicyResult {
    level: PolicyLevel;
    policy: string;
    pack: string;
    severity: string | undefined;
    /** Undefined for a rule about the whole stack. */
    resource: { urn: string; name: string } | undefined;
    message: string;
}

export interface PolicyReport {
    results: PolicyResult[];
    /** Names of the packs that ran. */
    packs: string[];
    /** Names of the rules that passed, if the engine lists them. */
    held: string[];
}

const order: readonly PolicyLevel[] = ["mandatory", "advisory", "remediated"];

/** The results of the policy packs: broken rules first. */
export function collectPolicies(events: readonly EngineEvent[]): PolicyReport {
    const results = new Map<string, PolicyResult>();
    const packs = new Set<string>();
    const held = new Set<string>();
    const broken = new Set<string>();
    for (const event of events) {
        for (const result of resultsOf(event)) {
            results.set(JSON.stringify([result.policy, result.resource?.name, result]), result);
            packs.add(result.pack);
            broken.add(result.policy);
        }
        for (const summary of summariesOf(event)) {
            packs.add(asString(summary?.policyPackName) ?? "");
            asStrings(summary?.passed).forEach((policy) => held.add(policy));
            asStrings(summary?.failed).forEach((policy) => broken.add(policy));
        }
        // The name of a local pack is `name|local|path`; the path is specific to this machine.
        const ran = Object.keys(asRecord(event.summaryEvent?.PolicyPacks));
        ran.forEach((pack) => packs.add(pack.split("|")[0] ?? ""));
    }
    return {
        results: [...results.entries()]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([, result]) => result)
            .sort(byLevel),
        packs: [...packs].filter(Boolean).sort(),
        held: [...held].filter((policy) => !broken.has(policy)).sort(),
    };
}

/** Adds results that no policy pack can find. */
export function withResults(report: PolicyReport, further: readonly PolicyResult[]): PolicyReport {
    return { ...report, results: [...report.results, ...further].sort(byLevel) };
}

function byLevel(a: PolicyResult, b: PolicyResult): number {
    return order.indexOf(a.level) - order.indexOf(b.level);
}

function resultsOf({ policyEvent, policyRemediationEvent }: EngineEvent): PolicyResult[] {
    const event = policyEvent ?? policyRemediationEvent;
    if (event === undefined) {
        return [];
    }
    const urn = asString(event.resourceUrn) || undefined;
    return [
        {
            level: policyEvent === undefined ? "remediated" : levelOf(policyEvent.enforcementLevel),
            policy: asString(event.policyName) ?? "",
            pack: asString(event.policyPackName) ?? "",
            severity: asString(event.severity) || undefined,
            resource: urn === undefined ? undefined : { urn, name: parseUrn(urn)?.name ?? "" },
            message: policyEvent === undefined ? "" : withoutDescription(asString(policyEvent.message) ?? ""),
        },
    ];
}

/** Removes the first line of a message, which contains the rule's description. */
function withoutDescription(message: string): string {
    const [description = "", ...rest] = message.trim().split("\n");
    return rest.join("\n").trim() || description;
}

/** The levels that never fail a preview, with the names that different engines use. */
const advisoryLevels: ReadonlySet<unknown> = new Set(["advisory", "warning", "none", "disabled"]);

/** An unknown level counts as mandatory, to be safe with later engines. */
function levelOf(level: unknown): PolicyLevel {
    return advisoryLevels.has(level) ? "advisory" : "mandatory";
}

function summariesOf(event: EngineEvent) {
    return [event.policyAnalyzeSummaryEvent, event.policyRemediateSummaryEvent, event.policyAnalyzeStackSummaryEvent];
}
