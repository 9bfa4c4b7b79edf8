export { createBundle, type BundleInfo } from "./write/bundle.js";
export { exportSite, type ExportSiteOptions, type ExportSiteResult } from "./export-site.js";
export { SiteError } from "./site-error.js";
export { warningKinds, type SiteWarning, type WarningKind } from "./warnings.js";
