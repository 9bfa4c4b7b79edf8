export { deploymentTypes, type DeploymentType } from "./deployments.js";
export { type ExportSection, findExportSections, type FindOptions } from "./export-section.js";
export {
    describePlace,
    type ExportWarning,
    type ExportWarnings,
    maxJobWarnings,
    maxWarningPlaces,
} from "./export-warnings.js";
export {
    type Availability,
    type Feature,
    featureMatrix,
    features,
    type FeatureSupport,
    type SiteFeatures,
} from "./feature-matrix.js";
export * from "./resource-types.js";
export { type ApiSetting, apiSettings, apiVariables, mirrorSettings, mirrorVariables } from "./settings.js";
export { defaultProtectedStacks, matchesStack } from "./stack-pattern.js";
export { isAtLeast, isOlder, minPulumiSdk, nextPulumiSdk } from "./versions.js";
