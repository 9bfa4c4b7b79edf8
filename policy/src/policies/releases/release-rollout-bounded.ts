import type { ResourceValidationArgs } from "@pulumi/policy";
import { findReleaseSections } from "../../releases/release-sections.js";
import { describeResource } from "../../resources/describe-resource.js";
import { lookUp } from "../../resources/look-up.js";
import { releaseType } from "@pulumi-static-export/contract";
import type { ResourceRule } from "../../resources/rule.js";

interface Config {
    maxTimeoutSeconds?: number;
    timeoutSeconds?: number;
}

const defaults = { maxTimeoutSeconds: 1800, timeoutSeconds: 600 } as const;

/**
 * The remediation sets properties of the given object: a copy would turn secrets into plain text, and could not contain
 * unknown values.
 */
export const releaseRolloutBounded: ResourceRule = {
    name: "release-rollout-bounded",
    description: "A release that serves an export is atomic, cleans up when it fails, and has a bounded timeout.",
    why: 'A failed rollout stays incomplete, and the next one fails with "another operation is in progress".',
    enforcementLevel: "remediate",
    severity: "medium",
    configSchema: {
        properties: {
            maxTimeoutSeconds: {
                type: "integer",
                minimum: 1,
                default: defaults.maxTimeoutSeconds,
                description: "The longest timeout that a release may have.",
            },
            timeoutSeconds: {
                type: "integer",
                minimum: 1,
                default: defaults.timeoutSeconds,
                description:
                    "The timeout that the remediation sets if the release has no timeout, or a longer one than " +
                    "`maxTimeoutSeconds`. At most `maxTimeoutSeconds`.",
            },
        },
    },
    remediateResource: (args) => {
        const settings = wrongSettings(args);
        for (const { key, value } of settings) {
            args.props[key] = value;
        }
        return settings.length > 0 ? args.props : undefined;
    },
    validateResource: (args, reportViolation) => {
        const settings = wrongSettings(args);
        if (settings.length > 0) {
            const wanted = settings.map(({ wanted }) => wanted).join(", ");
            reportViolation(
                `${describeResource("Release", args.urn)} may leave an incomplete rollout behind: set ${wanted}.`,
            );
        }
    },
};

interface Setting {
    key: string;
    value: boolean | number;
    wanted: string;
}

function wrongSettings(args: ResourceValidationArgs): Setting[] {
    const { type, props } = args;
    if (type !== releaseType || findReleaseSections(props).length === 0) {
        return [];
    }
    const { maxTimeoutSeconds, timeoutSeconds } = { ...defaults, ...args.getConfig<Config>() };
    const flags = ["atomic", "cleanupOnFail"].map((key) => ({ key, value: true, wanted: `${key}: true` }));
    const timeout = {
        key: "timeout",
        value: Math.min(timeoutSeconds, maxTimeoutSeconds),
        wanted: `timeout to between 1 and ${maxTimeoutSeconds} seconds`,
    };
    return [
        ...flags.filter(({ key }) => !is(props, key, (value) => value === true)),
        ...(is(props, "timeout", (value) => isBetween(value, maxTimeoutSeconds)) ? [] : [timeout]),
    ];
}

/** An unknown value may be correct, so it is not changed. */
function is(props: Record<string, unknown>, key: string, accept: (value: unknown) => boolean): boolean {
    const found = lookUp(props, key);
    return found.kind === "unknown" || (found.kind === "known" && accept(found.value));
}

function isBetween(value: unknown, max: number): boolean {
    return typeof value === "number" && value >= 1 && value <= max;
}
