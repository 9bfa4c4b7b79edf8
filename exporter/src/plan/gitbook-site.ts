import { dirname, posix } from "node:path";
import { type SiteWarning } from "../problems/warning-log.js";
import { type GitBookSettings } from "../read/files/gitbook-settings.js";
import { gitBookFile } from "../read/files/published-names.js";
import { canonicalPath } from "../read/files/routes.js";
import { type SourceFiles } from "../read/files/source-files.js";
import { type Redirect } from "../read/settings/setting-values.js";
import { lineOfText } from "../text/strings.js";

/** Warnings about files that GitBook's settings name but the site does not have. */
export function problemsOfGitBook(
    { root, readme, summary, problems }: GitBookSettings,
    { content }: SourceFiles,
    hasSummary: boolean,
): SiteWarning[] {
    const warn = (key: string, reason: string): SiteWarning => {
        return { kind: "settings", file: gitBookFile, line: lineOfText(content.readText(gitBookFile), key), reason };
    };
    const names = content.readText(gitBookFile).includes(posix.basename(summary));
    const hasRoot = root === "" || dirname(content.realPathOf(gitBookFile) ?? "") !== content.scanned.root;
    return [
        ...problems,
        ...(hasRoot ? [] : [warn("root:", `root names ${root}, but there is no such folder in the site`)]),
        ...(readme === undefined || content.has(readme)
            ? []
            : [warn("readme:", `structure.readme names ${readme}, but there is no such file`)]),
        ...(hasSummary || !names
            ? []
            : [warn("summary:", `structure.summary names ${summary}, but there is no file with links to pages`)]),
    ];
}

/** GitBook's settings of several sites, which an export does not read. */
const sitesFile = "docs.yaml";

/** Says that each folder is a site, if the site has GitBook's file for several sites. */
export function problemsOfSites({ assets, content }: SourceFiles): SiteWarning[] {
    const isTheirs = assets.includes(sitesFile) && /^site:/m.test(content.readText(sitesFile));
    const reason = `${sitesFile} of GitBook is not supported: export each folder that it names as a site`;
    return isTheirs ? [{ kind: "settings", file: sitesFile, line: 1, reason }] : [];
}

/** The redirects of GitBook's settings, whose targets are files. @param pages the pages' files by route */
export function redirectsOfGitBook({ redirects }: GitBookSettings, pages: ReadonlyMap<string, string>): Redirect[] {
    const routes = new Map([...pages].map(([route, file]) => [file, route]));
    return redirects.map(({ from, to, line }) => {
        const [path = "", anchor = ""] = to.split(/(?=#)/);
        const file = posix.join(".", path.normalize("NFC"));
        const route = routes.get(file) ?? routes.get(`${file}.md`) ?? routes.get(posix.join(file, "README.md"));
        return {
            source: `/${from.replace(/^\/+/, "")}`,
            // An address on another site stays as it is, also one without a scheme, which redirects refuse.
            destination: /^(?:https?:|\/[/\\])/i.test(to)
                ? to
                : `/${route === undefined ? file : canonicalPath(route)}${anchor}`,
            permanent: true,
            place: { file: gitBookFile, line },
        };
    });
}
