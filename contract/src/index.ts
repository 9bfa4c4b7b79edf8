export { findAddressFault } from "./bucket/address-fault.js";
export { amount, describeBytes } from "./amount.js";
export {
    faultOfText,
    maxNameBytes,
    maxNameLevels,
    maxPartBytes,
    type NameFault,
    readEntryName,
} from "./files/entry-name.js";
export { parseBasePath } from "./base-path.js";
export { clientOf } from "./client-of.js";
export {
    accessFile,
    bundleFactsFile,
    type BundledService,
    type BundleFacts,
    defaultBundleLimits,
    parseBundleFacts,
    replacingFile,
} from "./bundle-facts.js";
export { describeApiRequests, describeOutbound } from "./outbound.js";
export { canonicalDomain, domainPattern, isDomain, labelsPattern, maxDomainLength } from "./resources/domain.js";
export {
    type ExportInputName,
    exportInputNames,
    exportRequest,
    type ExportRequest,
    exportRequestOf,
    findLineFault,
    maxPathCharacters,
    maxPaths,
    maxPromptCharacters,
    maxVersionCharacters,
} from "./resources/export-request.js";
export { type ExportSection, findExportSections, type FindOptions } from "./export-section.js";
export type { ExportWarning, ExportWarnings } from "./api/static-export.js";
export { describePlace, maxJobWarnings } from "./api/export-warnings.js";
export {
    type Availability,
    type DeploymentType,
    deploymentTypes,
    type Feature,
    featureMatrix,
    features,
    type FeatureSupport,
    type SiteFeatures,
} from "./feature-matrix.js";
export { beginningOf, cutPlace, endOf } from "./text/cut-text.js";
export { decodeUri } from "./text/decode-uri.js";
export { agentJobStatuses, exportJobStatuses, shownJobStatuses, siteStates } from "./api/job-statuses.js";
export { repeat } from "./time/repeat.js";
export { maxTimerSeconds } from "./time/timer-limit.js";
export { isRecord } from "./is-record.js";
export { joinLines, trimSlashes, trimTrailing, withoutQuery } from "./text/linear-text.js";
export { isLeftOut, isPrivateKey } from "./left-out.js";
export { findPipelineRun, pipelineSystems } from "./pipeline-run.js";
export { isUnknownValue, markKey, marks, unknownValue } from "./resources/property-marks.js";
export * from "./resources/resource-types.js";
export {
    changedExportInputs,
    decideBundle,
    decideExportJob,
    type ExportDecision,
    type ExportEffect,
    type ExportValues,
} from "./resources/export-decision.js";
export { decideDocumentationUpdate, isExpectedCommit, type UpdateDecision } from "./resources/update-decision.js";
export { digestAssets, isSameValue } from "./resources/same-value.js";
export { parseUrn, type ResourceIdentity } from "./resources/resource-urn.js";
export {
    type ApiSetting,
    apiSettings,
    apiVariables,
    azureSettings,
    azureVariables,
    mirrorSettings,
    mirrorVariables,
    purgeSettings,
    purgeVariables,
    runSetting,
    runVariable,
    secretSettings,
    stackSettings,
} from "./stack-settings.js";
export { defaultProtectedStacks, matchesStack } from "./resources/stack-pattern.js";
export { formsOfSecret } from "./text/secret-forms.js";
export { cleanServerText, redact } from "./text/server-text.js";
export { quoteWord, shellWord } from "./shell-words.js";
export { describeStorageFailure, secretsOfClient, type StorageFailure } from "./storage-failure.js";
export { isAtLeast, isOlder, isSupportedNode, minPulumiSdk, nextPulumiSdk, nodeRange } from "./supported-versions.js";
