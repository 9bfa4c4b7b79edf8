import { posix } from "node:path";
import { SiteError } from "../problems/site-error.js";
import { type FoundWarning, type SiteWarning } from "../problems/warning-log.js";
import { type OtherBuilder } from "../read/files/builder-presets.js";
import { encodingProblem } from "../read/files/file-warnings.js";
import { type SourceFiles } from "../read/files/source-files.js";
import { type DocsConfig } from "../read/settings/docs-config.js";
import { navigationWarning } from "./left-out-pages.js";

/** The problems of a site's files and settings, apart from its pages and navigation. */
export function problemsOfFiles(
    config: DocsConfig,
    files: SourceFiles,
    builder: OtherBuilder | undefined,
): FoundWarning[] {
    const [below] = config.navigation === undefined ? files.settingsBelow : [];
    const folder = posix.dirname(below ?? "");
    const ownFolder = `settings are read only in the site's own folder: if ${folder} is the site, export that folder`;
    const scripts = config.isFound ? scriptsOf(files) : [];
    return [
        ...files.problems.map(({ file, reason }) => navigationWarning(file, reason)),
        ...files.warnings,
        ...[...config.sources].flatMap(([file, text]) => {
            const problem = encodingProblem(file, text, files.content);
            return problem === undefined ? [] : [{ kind: "settings" as const, file, ...problem }];
        }),
        ...config.problems,
        ...scripts,
        ...(below === undefined ? [] : [navigationWarning(below, ownFolder)]),
        ...(builder === undefined ? [] : [{ kind: "settings" as const, line: undefined, ...builder }]),
    ];
}

/** Returns the assets whose names match, except assets that are published only if a page links to them. */
export function publishedAlways({ assets, onlyWhenLinked }: SourceFiles, name: RegExp): string[] {
    return assets.filter((file) => name.test(file) && !onlyWhenLinked.has(file));
}

/** Scripts that the platform runs on every page. Scripts with exports are for pages to import. */
function scriptsOf(files: SourceFiles): SiteWarning[] {
    return publishedAlways(files, /\.js$/i)
        .filter((file) => !/^[^\S\n\r\u2028\u2029]*(?:export|import)\b/m.test(files.content.readText(file)))
        .map((file) => ({
            kind: "settings",
            file,
            line: undefined,
            reason: "this script is left out: an export does not run a site's scripts",
        }));
}

/** Explains why a site has nothing to export. */
export function emptySite(
    config: DocsConfig,
    pageCount: number,
    problems: readonly FoundWarning[],
    builder: OtherBuilder | undefined,
): SiteError {
    if (pageCount === 0) {
        if (builder !== undefined) {
            return new SiteError(builder.file, undefined, builder.reason);
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
