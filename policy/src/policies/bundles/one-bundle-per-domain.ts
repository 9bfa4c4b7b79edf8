import type { PolicyResource } from "@pulumi/policy";
import { describeResource } from "../../resources/describe-resource.js";
import { knownString } from "../../resources/look-up.js";
import { isBundle } from "@pulumi-static-export/contract";
import type { StackRule } from "../../resources/rule.js";

export const oneBundlePerDomain: StackRule = {
    name: "one-bundle-per-domain",
    description: "A stack has one StaticExportBundle for each domain.",
    why: "A second bundle runs a second job, and a release may serve the wrong bundle.",
    enforcementLevel: "mandatory",
    severity: "medium",
    configSchema: { properties: {} },
    validateStack: ({ resources }, reportViolation) => {
        const firstOf = new Map<string, PolicyResource>();
        for (const bundle of resources.filter(isBundle).sort(byUrn)) {
            const domain = knownString(bundle.props, "domain")?.toLowerCase();
            if (domain === undefined) {
                continue;
            }
            const first = firstOf.get(domain);
            if (first === undefined) {
                firstOf.set(domain, bundle);
            } else {
                reportViolation(
                    `${describeResource("StaticExportBundle", bundle.urn)} exports the same domain as ` +
                        `${describeResource("StaticExportBundle", first.urn)}. Use that one's outputs, and remove this one.`,
                    bundle.urn,
                );
            }
        }
    },
};

/**
 * Sorts the resources, because the engine passes them in no particular order, and a message should be the same in every
 * run.
 */
function byUrn(a: PolicyResource, b: PolicyResource): number {
    return a.urn < b.urn ? -1 : 1;
}
