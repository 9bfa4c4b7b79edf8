export { StaticExportBundle, type StaticExportBundleArgs } from "./static-export-bundle.js";
