import assert from "node:assert/strict";
import { adoptedJobAge } from "../../policy/src/policies/bundles/adopted-job-age.js";
import { bundleReplacement } from "../../policy/src/policies/bundles/bundle-replacement.js";
import { bundleVersionPinned } from "../../policy/src/policies/bundles/bundle-version-pinned.js";
import { oneBundlePerDomain } from "../../policy/src/policies/bundles/one-bundle-per-domain.js";
import { protectedInNamedStacks } from "../../policy/src/policies/bundles/protected-in-named-stacks.js";
import { airGappedNeedsMirror } from "../../policy/src/policies/deployments/air-gapped-needs-mirror.js";
import { privatePagesNeedAccess } from "../../policy/src/policies/deployments/private-pages-need-access.js";
import { linkOutlivesPods } from "../../policy/src/policies/releases/link-outlives-pods.js";
import { releaseVersionMatches } from "../../policy/src/policies/releases/release-version-matches.js";
import { bundle, bundleCheck, bundleInPreview, exportJob, mirror, release } from "./support/resources.js";
import { type TestResource, validate, validateStack } from "./support/run-policy.js";

/** Returns the resource as the plugin declares it. */
function asPlugin(resource: TestResource): TestResource {
    const { type, from = {} } = resource;
    const sources = Object.entries(from).map(([property, each]) => [property, each.map(asPlugin)]);
    return {
        ...resource,
        type: type.replace("pulumi-nodejs:dynamic/static-export:", "static-export:index:"),
        from: Object.fromEntries(sources) as Record<string, TestResource[]>,
    };
}

const enabled = { staticExport: { enabled: true, version: "2" } };
const production = { stack: "production" };

const violations = {
    "bundle-version-pinned, of a bundle": () =>
        validate(bundleVersionPinned, asPlugin(bundleInPreview({}, production))),
    "bundle-version-pinned, of a job": () => validate(bundleVersionPinned, asPlugin(exportJob({}, production))),
    "bundle-replacement": () =>
        validate(bundleReplacement, asPlugin(bundleInPreview({ replacesDomain: true }, production))),
    "protected-in-named-stacks": () => validate(protectedInNamedStacks, asPlugin(bundleInPreview({}, production))),
    "one-bundle-per-domain, of a dynamic resource and the plugin's": () =>
        validateStack(oneBundlePerDomain, [bundle(), { ...asPlugin(bundle()), name: "other" }]),
    "adopted-job-age": async () => {
        const policy = adoptedJobAge(() => Date.parse("2027-01-01T00:00:00Z"));
        await validate(policy, asPlugin(bundleInPreview({ jobId: "se_1" })));
        return validateStack(policy, [asPlugin(bundle())]);
    },
    "air-gapped-needs-mirror": () =>
        validateStack(airGappedNeedsMirror, [asPlugin(bundle()), asPlugin(release(enabled, [bundle()]))], {
            deploymentType: "air-gapped",
        }),
    "private-pages-need-access": () => {
        const resources = [bundle(), bundleCheck({ access: true }), release(enabled, [bundle()])];
        return validateStack(privatePagesNeedAccess, resources.map(asPlugin));
    },
    "link-outlives-pods, of a bundle": () =>
        validateStack(linkOutlivesPods(), [asPlugin(bundle()), asPlugin(release(enabled, [bundle()]))]),
    "link-outlives-pods, of a mirror": () => {
        const short = mirror({ publicUrl: null, urlExpirySeconds: 60 });
        return validateStack(linkOutlivesPods(), [short, bundle(), release(enabled, [short])].map(asPlugin));
    },
    "release-version-matches": () =>
        validateStack(releaseVersionMatches, [bundle({ version: "1" }), release(enabled, [bundle()])].map(asPlugin)),
} as const;

describe("A policy for the plugin's resources", () => {
    for (const [name, check] of Object.entries(violations)) {
        it(`matches the policy for dynamic resources: ${name}`, async () => {
            assert.equal((await check()).length, 1);
        });
    }
});
