import type { PublishSettings } from "../settings/publish-settings.js";

/** The settings of a site that exclude each other. */
interface ConflictingSettings extends Pick<PublishSettings, "access" | "switching" | "addresses"> {
    /** Whether the target stores headers: a bucket does, a folder does not. */
    readonly hasHeaders: boolean;
}

/** Finds a setting that others exclude. The reason continues a sentence that begins with the setting. */
export function findConflict({
    access,
    switching = "files",
    addresses,
    hasHeaders,
}: ConflictingSettings): { setting: "access" | "addresses"; reason: string } | undefined {
    if (access === "edge" && switching === "files") {
        const why = "because replacing files one by one mixes the access rules of two releases";
        return { setting: "access", reason: `"edge" needs switching "releases", ${why}` };
    }
    if (access === "edge" && addresses === "objects") {
        const why = "because access.json does not name the second objects";
        return { setting: "addresses", reason: `"objects" is not possible with access "edge", ${why}` };
    }
    if (addresses === "rules" && hasHeaders) {
        const why = "from which Cloudflare Pages or Netlify takes the site: a bucket has no rules";
        return { setting: "addresses", reason: `"rules" needs a folder, ${why}` };
    }
    if (addresses === "objects" && !hasHeaders) {
        return {
            setting: "addresses",
            reason: '"objects" needs a bucket: in a folder, /guide cannot be next to /guide/start',
        };
    }
    return undefined;
}
