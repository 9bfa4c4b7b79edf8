import { createHash } from "node:crypto";
import { type SitePlan } from "../plan/site-plan.js";
import { type ThemeFiles } from "./theme-files.js";

/** A digest of everything that a page may show, except its own source and its imports. */
export function frameKeyOf(
    { pages, settings, navigation, targets, features }: SitePlan,
    theme: ThemeFiles,
    fingerprint: string,
    version: string | undefined,
): string {
    const labels = pages.map(({ route, file, title, label, meta, operation }) => [
        route,
        file,
        title,
        label,
        [meta.icon, meta.iconType, meta.tag, meta.api, meta.deprecated, meta.url, meta.hideApiMarker],
        [operation?.method, operation?.isDeprecated],
    ]);
    const others = [...targets.pages].filter(([route]) => !targets.exported.has(route));
    const hash = createHash("sha256");
    for (const part of [
        [fingerprint, version, targets.domain, targets.basePath, targets.linkPrefixes, [...theme.contents.keys()]],
        [settings, navigation, features],
        labels,
        others,
        [...targets.assets],
    ]) {
        hash.update(JSON.stringify(part)).update("\0");
    }
    return hash.digest("base64url");
}
