import { findReleaseSections } from "../../releases/release-sections.js";
import { describeResource } from "../../resources/describe-resource.js";
import { isBundle, releaseType } from "@pulumi-static-export/contract";
import { isNamedStack, type StacksConfig, stacksSchema } from "../../resources/stacks.js";
import type { ResourceRule } from "../../resources/rule.js";

export const protectedInNamedStacks: ResourceRule = {
    name: "protected-in-named-stacks",
    description: "Bundles in the named stacks, and the releases that serve them, are protected from deletion.",
    why: "A pack does not see deletions, and only the protect option prevents them.",
    enforcementLevel: "advisory",
    severity: "high",
    configSchema: { properties: stacksSchema },
    validateResource: (args, reportViolation) => {
        const { urn, opts } = args;
        const kind = kindOf(args);
        if (kind !== undefined && !opts.protect && isNamedStack(urn, args.getConfig<StacksConfig>())) {
            reportViolation(
                `${describeResource(kind, urn)} is not protected: a change that deletes or replaces it takes the site ` +
                    "down, and a policy cannot see a deletion. Set protect: true in its options, so that Pulumi " +
                    "refuses such a change until somebody unprotects it.",
            );
        }
    },
};

function kindOf(resource: { type: string; props: Record<string, unknown> }): string | undefined {
    if (isBundle(resource)) {
        return "StaticExportBundle";
    }
    return resource.type === releaseType && findReleaseSections(resource.props).length > 0 ? "Release" : undefined;
}
