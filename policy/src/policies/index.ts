import { adoptedJobAge } from "./bundles/adopted-job-age.js";
import { bundleReplacement } from "./bundles/bundle-replacement.js";
import { bundleVersionPinned } from "./bundles/bundle-version-pinned.js";
import { exportsWhatWasUpdated } from "./bundles/exports-what-was-updated.js";
import { oneBundlePerDomain } from "./bundles/one-bundle-per-domain.js";
import { protectedInNamedStacks } from "./bundles/protected-in-named-stacks.js";
import { airGappedNeedsMirror } from "./deployments/air-gapped-needs-mirror.js";
import { airGappedSendsNothing } from "./deployments/air-gapped-sends-nothing.js";
import { featureMatrixHolds } from "./deployments/feature-matrix.js";
import { privatePagesNeedAccess } from "./deployments/private-pages-need-access.js";
import { linkOutlivesPods } from "./releases/link-outlives-pods.js";
import { releaseLinkEnabled } from "./releases/release-link-enabled.js";
import { releaseLinkSource } from "./releases/release-link-source.js";
import { releaseRolloutBounded } from "./releases/release-rollout-bounded.js";
import { releaseVersionMatches } from "./releases/release-version-matches.js";
import { withKnownSettings } from "../resources/known-settings.js";
import type { ResourceRule, StackRule } from "../resources/rule.js";

/** The rules, in the order of the documentation. */
const rules: (ResourceRule | StackRule)[] = [
    releaseLinkSource,
    releaseLinkEnabled,
    bundleVersionPinned,
    releaseVersionMatches,
    releaseRolloutBounded,
    airGappedNeedsMirror,
    airGappedSendsNothing,
    privatePagesNeedAccess,
    linkOutlivesPods(),
    featureMatrixHolds,
    oneBundlePerDomain,
    adoptedJobAge(Date.now),
    exportsWhatWasUpdated(),
    bundleReplacement,
    protectedInNamedStacks,
];

export const policies = rules.map(withKnownSettings);
