export { createBundle, type BundleInfo } from "./bundle.js";
export { exportSite, type ExportSiteOptions, type ExportSiteResult, type SiteWarning } from "./export-site.js";
export { SiteError } from "./site-error.js";
