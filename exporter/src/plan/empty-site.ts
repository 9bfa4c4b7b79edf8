import { SiteError } from "../problems/site-error.js";
import { type FoundWarning } from "../problems/warning-log.js";
import { proposeBuilder } from "../read/files/builder-presets.js";
import { type SourceFiles } from "../read/files/source-files.js";
import { type DocsConfig } from "../read/settings/docs-config.js";

/** Explains why a site has nothing to export. */
export function emptySite(
    config: DocsConfig,
    pageCount: number,
    problems: readonly FoundWarning[],
    { content, hiddenSettings }: SourceFiles,
): SiteError {
    if (pageCount === 0) {
        const other = proposeBuilder(content, hiddenSettings);
        if (other !== undefined) {
            return new SiteError(other.file, undefined, other.reason);
        }
        return new SiteError(
            ".",
            undefined,
            "the site has no pages: there is no .md, .mdx or index.html file in its folder",
        );
    }
    if (config.navigation === undefined) {
        return new SiteError(".", undefined, "every page of the site is hidden or a draft");
    }
    const ofSettings = problems.flatMap((problem) => ("setting" in problem ? [problem] : []));
    const first =
        ofSettings.find(({ kind }) => kind === "navigation") ?? ofSettings.find(({ kind }) => kind === "openapi");
    const reason = first === undefined ? ", or only hidden ones" : ` that the site has: ${first.reason}`;
    const { file, line } = first === undefined ? { file: config.file } : config.placeOf(first.setting);
    return new SiteError(file, line, `navigation lists no page${reason}`);
}
