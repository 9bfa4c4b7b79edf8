import { agentJob } from "./agent-job.js";
import { bundleCheck } from "./bundle-check.js";
import { bundleMirror } from "./bundle-mirror.js";
import { documentationUpdate } from "./documentation-update.js";
import type { ResourceKind } from "./resource-kind.js";
import { staticExportBundle } from "./static-export-bundle.js";
import { staticExportJob } from "./static-export-job.js";

/** The resources by their type tokens. */
export const resourceKinds: Readonly<Record<string, ResourceKind>> = {
    "static-export:index:StaticExportBundle": staticExportBundle,
    "static-export:index:StaticExportJob": staticExportJob,
    "static-export:index:BundleMirror": bundleMirror,
    "static-export:index:BundleCheck": bundleCheck,
    "static-export:index:AgentJob": agentJob,
    "static-export:index:DocumentationUpdate": documentationUpdate,
};
