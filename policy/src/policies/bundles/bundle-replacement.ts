import { describeResource } from "../../resources/describe-resource.js";
import { lookUp } from "../../resources/look-up.js";
import { isBundle } from "@pulumi-static-export/contract";
import { isNamedStack, type StacksConfig, stacksSchema } from "../../resources/stacks.js";
import type { ResourceRule } from "../../resources/rule.js";

/**
 * The provider's check marks inputs whose domain differs from the state's, because a pack never gets the old inputs.
 */
export const bundleReplacement: ResourceRule = {
    name: "bundle-replacement",
    description: "A change that replaces a StaticExportBundle in one of the named stacks is reported.",
    why: "Every release that uses the bundle's link is rolled out again, with a different site.",
    enforcementLevel: "advisory",
    severity: "high",
    configSchema: { properties: stacksSchema },
    validateResource: (args, reportViolation) => {
        const { props, urn } = args;
        const isReplaced = lookUp(props, "replacesDomain").kind !== "absent";
        if (isBundle(args) && isReplaced && isNamedStack(urn, args.getConfig<StacksConfig>())) {
            reportViolation(
                `${describeResource("StaticExportBundle", urn)} gets another domain, so Pulumi replaces it: a new ` +
                    "export runs, and the releases that use it serve the new domain's site. Check that the new " +
                    "domain is intended. To serve a second domain, declare a second bundle.",
            );
        }
    },
};
