/*
 * Exports run in separate processes, whose program is bundled. The renderer is not loaded here, because it would delay
 * the start of every command by half a second.
 */
export { type BundleInfo } from "./write/output/archive-output.js";
export { isUnfinished } from "./read/files/checked-file.js";
export { decodeText } from "./read/files/decode-text.js";
export { builderFile, readBuilderFile } from "./read/files/builder-file.js";
export { adviceOnOutput, proposeBuildSettings } from "./read/files/builder-presets.js";
export { readTheDocsOutput } from "./read/files/read-the-docs.js";
export {
    BuilderFileError,
    builderKeys,
    type BuilderSettings,
    folderInside,
    isBuilderKey,
    readBuilderSetting,
} from "./read/files/builder-settings.js";
export { createRealPlace, isWithin, realPlace } from "./read/files/is-within.js";
export { type PrivatePages } from "./plan/page-readers.js";
export { type CountedWarnings } from "./problems/warning-log.js";
export { SiteError } from "./problems/site-error.js";
export { StrictError } from "./problems/site-error.js";
export { warningKinds, type KeptWarning, type SiteWarning, type WarningKind } from "./problems/warning-log.js";
export { nativeMegabytes } from "./process/bounded-command.js";
export { ExportError } from "./process/exporter.js";
export { type ExportLimits } from "./process/export-process.js";
export {
    type ExportControl,
    type Exporter,
    type ExportRequest,
    type ExportResult,
    type FolderExportResult,
} from "./process/exporter.js";
export { failedPage } from "./live/live-page.js";
export { LiveSiteProcess } from "./process/live-site-process.js";
export { type LiveCalls } from "./process/live-messages.js";
export { ProcessExporter } from "./process/process-exporter.js";
export { untilAborted } from "./process/until-aborted.js";
export { parseYaml } from "./text/parse-yaml.js";
export { toOneLine } from "./text/strings.js";
