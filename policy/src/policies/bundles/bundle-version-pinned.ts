import { describeResource } from "../../resources/describe-resource.js";
import { lookUp } from "../../resources/look-up.js";
import { bundleType } from "@pulumi-static-export/contract";
import { isNamedStack, type StacksConfig, stacksSchema } from "../../resources/stacks.js";
import type { ResourceRule } from "../../resources/rule.js";

export const bundleVersionPinned: ResourceRule = {
    name: "bundle-version-pinned",
    description: "A StaticExportBundle in one of the named stacks has a version, or adopts a job.",
    why: "An export without a version contains whatever is published when it runs, and nobody can review a change to it.",
    enforcementLevel: "mandatory",
    severity: "medium",
    configSchema: { properties: stacksSchema },
    validateResource: (args, reportViolation) => {
        const { type, props, urn } = args;
        const isPinned = ["version", "jobId"].some((key) => lookUp(props, key).kind !== "absent");
        if (type === bundleType && !isPinned && isNamedStack(urn, args.getConfig<StacksConfig>())) {
            reportViolation(
                `${describeResource("StaticExportBundle", urn)} has no version, so it exports whatever is published ` +
                    "when it runs. Set version to a label that changes with each release, or jobId to adopt an " +
                    "export that was tested elsewhere.",
            );
        }
    },
};
