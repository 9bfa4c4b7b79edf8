/** The entry point of the plugin: the lifecycles of all resources, and the functions that declare components. */
export {
    type AgentJobInputs,
    agentJobOutputs,
    type AgentJobState,
    changeOf as agentJobChange,
} from "./agent-job/model.js";
export { bundleCheckOutputs } from "./bundle-check/model.js";
export { type BucketSiteInputs, bucketSiteOutputs } from "./bucket-site/model.js";
export { type MirrorInputs, mirrorOutputs, type MirrorState } from "./bundle-mirror/model.js";
export { keyOf as mirrorKey, servedJob } from "./bundle-mirror/storage/copy-address.js";
export { findServiceProblem, secretData, serviceValues } from "./documentation-service/service-resources.js";
export { type ChartInputs, releaseInputs, type SiteChart, siteChart } from "./documentation-site/chart.js";
export { updateOutputs } from "./documentation-update/model.js";
export { findSiteProblem } from "./documentation-site/find-site-problem.js";
export { bundleInputs, checkInputs, exportInputs, siteValues } from "./documentation-site/site-resources.js";
export { withoutRefusedValues } from "./engine/check-inputs.js";
export { parseEngineAddress } from "./engine/engine-address.js";
export { inputsThatUpdate, type InputTable } from "./engine/resource-inputs.js";
export { outputNames, type OutputTable, secretNames } from "./engine/resource-outputs.js";
export type { OperationContext } from "./engine/operation-context.js";
export { SavedFailure } from "./engine/saved-failure.js";
export { isUnknown } from "./engine/unknown-value.js";
export { decideUpdate as decideBundleUpdate } from "./static-export-bundle/diff.js";
export { type BundleInputs, bundleOutputs, type BundleState } from "./static-export-bundle/model.js";
export { exportJobOutputs } from "./static-export-job/model.js";
export { LifecycleHost } from "./lifecycle-host.js";
