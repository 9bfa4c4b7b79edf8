import { isBundle, isExportJob, isUpdate } from "@pulumi-static-export/contract";
import { describeResource } from "../../resources/describe-resource.js";
import { lookUp } from "../../resources/look-up.js";
import type { ResourceRule, StackRule } from "../../resources/rule.js";

/**
 * Inputs show whether an export has a version or adopts a job, but only the list of all resources shows where triggers
 * come from. The engine sends a pack the inputs of every resource before the list of all resources.
 */
export function exportsWhatWasUpdated(): ResourceRule & StackRule {
    const pinned = new Set<string>();
    return {
        name: "exports-what-was-updated",
        description:
            "A StaticExportBundle or StaticExportJob has a version, adopts a job, or has a trigger that comes from a DocumentationUpdate.",
        why: "An export takes the latest published pages, which may not contain the latest push.",
        // Disabled by default, because some programs publish the documentation in another way.
        enforcementLevel: "disabled",
        severity: "medium",
        configSchema: { properties: {} },
        validateResource: ({ props, urn }) => {
            const isPinned = ["version", "jobId"].some((key) => lookUp(props, key).kind !== "absent");
            if (isPinned) {
                pinned.add(urn);
            } else {
                pinned.delete(urn);
            }
        },
        validateStack: ({ resources }, reportViolation) => {
            for (const resource of resources) {
                const { urn, propertyDependencies } = resource;
                const kind = isBundle(resource)
                    ? "StaticExportBundle"
                    : isExportJob(resource)
                      ? "StaticExportJob"
                      : undefined;
                const isUpdated = (propertyDependencies["triggers"] ?? []).some(isUpdate);
                if (kind !== undefined && !pinned.has(urn) && !isUpdated) {
                    reportViolation(
                        `${describeResource(kind, urn)} has neither a version nor a trigger on a DocumentationUpdate, so it ` +
                            "may export pages older than the last push. Declare a DocumentationUpdate, and add the " +
                            "sha of its commit to triggers.",
                        urn,
                    );
                }
            }
        },
    };
}
