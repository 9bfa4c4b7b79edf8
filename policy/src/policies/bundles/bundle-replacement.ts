import { describeResource } from "../../resources/describe-resource.js";
import { lookUp } from "../../resources/look-up.js";
import { bundleType } from "../../resources/resource-types.js";
import { isNamedStack, type StacksConfig, stacksSchema } from "../../resources/stacks.js";
import type { ResourceRule } from "../../resources/rule.js";

/** The provider's check marks inputs with another domain than the state's: a pack never sees what was there before. */
export const bundleReplacement: ResourceRule = {
    name: "bundle-replacement",
    description: "In the named stacks a change that replaces a StaticExportBundle is announced.",
    why: "Another domain is another site, and everything that takes its link rolls to it.",
    enforcementLevel: "advisory",
    severity: "high",
    configSchema: { properties: stacksSchema },
    validateResource: (args, reportViolation) => {
        const { type, props, urn } = args;
        const isReplaced = lookUp(props, "replacesDomain").kind !== "absent";
        if (type === bundleType && isReplaced && isNamedStack(urn, args.getConfig<StacksConfig>())) {
            reportViolation(
                `${describeResource("StaticExportBundle", urn)} gets another domain, which replaces it: a new export ` +
                    "runs, and what serves it rolls to the site of the new domain. Check that this is meant; to " +
                    "serve a second domain, declare a second bundle.",
            );
        }
    },
};
