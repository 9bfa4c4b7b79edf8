import type { PolicyResource } from "@pulumi/policy";
import { describeResource } from "../../resources/describe-resource.js";
import { knownString, lookUp } from "../../resources/look-up.js";
import { isBundle, isExportJob } from "@pulumi-static-export/contract";
import type { ResourceRule, StackRule } from "../../resources/rule.js";

interface Config {
    maxAgeDays?: number;
}

const defaultMaxAgeDays = 30;
const dayMs = 24 * 3600 * 1000;

/**
 * Only the inputs show whether a job is adopted, and only the outputs show when the job was exported. The engine sends
 * a pack the inputs of all resources before any outputs, so the check of the inputs stores its findings for the check
 * of the outputs.
 * @param now - the time in milliseconds
 */
export function adoptedJobAge(now: () => number): ResourceRule & StackRule {
    const adopting = new Set<string>();
    return {
        name: "adopted-job-age",
        description: "A StaticExportBundle does not stay with an adopted job for longer than the configured time.",
        why: "Readers never see what is published after the adopted job.",
        enforcementLevel: "advisory",
        severity: "medium",
        configSchema: {
            properties: {
                maxAgeDays: {
                    type: "number",
                    minimum: 0,
                    default: defaultMaxAgeDays,
                    description: "How old the export of an adopted job may be, in days.",
                },
            },
        },
        validateResource: (resource) => {
            const { props, urn } = resource;
            if (isBundle(resource) && lookUp(props, "jobId").kind !== "absent") {
                adopting.add(urn);
            } else {
                adopting.delete(urn);
            }
        },
        validateStack: (args, reportViolation) => {
            const { resources } = args;
            const { maxAgeDays = defaultMaxAgeDays } = args.getConfig<Config>();
            for (const { urn, props } of resources.filter((each) => adopting.has(each.urn) && !hasOwnJob(each))) {
                const exportedAtMs = Date.parse(knownString(props, "exportedAt") ?? "");
                if (now() - exportedAtMs > maxAgeDays * dayMs) {
                    reportViolation(
                        `${describeResource("StaticExportBundle", urn)} adopts a job whose export is more than ` +
                            `${maxAgeDays} days old, so readers see nothing that was published since. Set jobId to a newer ` +
                            "job, or remove it and change version or triggers to export again.",
                        urn,
                    );
                }
            }
        },
    };
}

/** Whether the program itself starts the job: then the inputs of that export job determine when a new job starts. */
function hasOwnJob({ propertyDependencies }: PolicyResource): boolean {
    return (propertyDependencies.jobId ?? []).some(isExportJob);
}
