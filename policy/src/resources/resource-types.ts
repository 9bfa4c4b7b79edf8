/** Type tokens: a pack matches on them, and loads none of the packages that declare the resources. */
export const bundleType = "pulumi-nodejs:dynamic/static-export:StaticExportBundle";
export const mirrorType = "pulumi-nodejs:dynamic/static-export:BundleMirror";
export const siteType = "static-export:index:DocumentationSite";
export const releaseType = "kubernetes:helm.sh/v3:Release";
