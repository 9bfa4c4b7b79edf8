export { createBundle, type BundleInfo } from "./bundle.js";
export { exportSite, type ExportSiteOptions, type ExportSiteResult } from "./export-site.js";
export { SiteError, type SiteWarning } from "./site-error.js";
