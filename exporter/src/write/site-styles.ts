import { maxPageBytes } from "../read/files/found-files.js";
import { rewriteCssAddresses } from "../html/css-addresses.js";
import { resolveLink } from "../plan/links/link-resolver.js";
import { type SitePlan } from "../plan/site-plan.js";
import { type SiteWarning } from "../problems/warnings.js";

/** The texts of the site's style sheets whose addresses do not hold as they are written. @param onAsset called with each file that one loads */
export function changedStyles(
    { styles, content, targets }: SitePlan,
    onAsset: (file: string) => void,
    warn: (warning: SiteWarning) => void,
): Map<string, string> {
    const changed = new Map<string, string>();
    for (const file of styles.filter((each) => content.bytesOf(each) <= maxPageBytes)) {
        const source = content.readText(file);
        const text = rewriteCssAddresses(source, (written, line) => {
            const { href, problem } = resolveLink(written, { file, route: file }, { ...targets, onAsset });
            if (problem !== undefined) {
                warn({ kind: "link", file, line, reason: problem });
            }
            return href;
        });
        if (text !== source) {
            changed.set(file, text);
        }
    }
    return changed;
}
