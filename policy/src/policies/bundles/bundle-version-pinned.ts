import { describeResource } from "../../resources/describe-resource.js";
import { lookUp } from "../../resources/look-up.js";
import { isBundle, isExportJob } from "@pulumi-static-export/contract";
import { isNamedStack, type StacksConfig, stacksSchema } from "../../resources/stacks.js";
import type { ResourceRule } from "../../resources/rule.js";

export const bundleVersionPinned: ResourceRule = {
    name: "bundle-version-pinned",
    description: "A StaticExportBundle or StaticExportJob in one of the named stacks has a version, or adopts a job.",
    why: "Without a version, nobody can review what an export will publish.",
    enforcementLevel: "mandatory",
    severity: "medium",
    configSchema: { properties: stacksSchema },
    validateResource: (args, reportViolation) => {
        const { props, urn } = args;
        const isPinned = ["version", "jobId"].some((key) => lookUp(props, key).kind !== "absent");
        const kind = isBundle(args) ? "StaticExportBundle" : isExportJob(args) ? "StaticExportJob" : undefined;
        if (kind !== undefined && !isPinned && isNamedStack(urn, args.getConfig<StacksConfig>())) {
            reportViolation(
                `${describeResource(kind, urn)} has no version, so it exports whatever is published ` +
                    "when it runs. Set version to a label that changes with each release, or jobId to adopt an " +
                    "export that was tested elsewhere.",
            );
        }
    },
};
