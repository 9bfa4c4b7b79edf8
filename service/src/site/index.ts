export { exportBundle, exportSite, type ExportSiteOptions, type ExportSiteResult } from "./export-site.js";
export { type BundleInfo } from "./write/archive-output.js";
export { SiteError } from "./site-error.js";
export { StrictError } from "./strict-error.js";
export { warningKinds, type KeptWarning, type SiteWarning, type WarningKind } from "./warnings.js";
