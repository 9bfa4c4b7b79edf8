import { type DocsConfig } from "./docs-config.js";
import { lineOfText } from "../../text/line-of-text.js";
import { type SiteWarning } from "../../problems/warnings.js";

const namedValue =
    /^there is no icon "([^"]+)"|^the font "([^"]+)" |\b(?:Open|Async)API document (\S+)|^the link (\S+) leads |^the setting "(?:[^"]*\.)?([^".]+)" /;

/**
 * Says in which file of settings a warning's cause stands, and in which line if the warning names a value of it. Kept
 * parts of a site hold their warnings without lines, since an edit of the settings may move them.
 */
export function placeInSettings(warning: SiteWarning, { file, source }: DocsConfig): SiteWarning {
    if (warning.file !== "docs.json" || warning.line !== undefined) {
        return warning;
    }
    const [, icon, font, document, link, setting] = namedValue.exec(warning.reason) ?? [];
    const value = icon ?? font ?? document ?? link ?? setting;
    const line =
        value === undefined ? undefined : (lineOfText(source, JSON.stringify(value)) ?? lineOfText(source, value));
    return { ...warning, file, line };
}
