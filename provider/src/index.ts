export { BundleMirror, type BundleMirrorArgs } from "./mirror/bundle-mirror.js";
export { StaticExportBundle, type StaticExportBundleArgs } from "./static-export-bundle.js";
