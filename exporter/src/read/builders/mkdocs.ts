import { asRecord, isRecord, listOf, textOf, withoutUndefined } from "../../text/json-values.js";
import { type BuilderPages, type Entry, type Json } from "./builder-pages.js";

/** Converts the settings of MkDocs to a `docs.json`. */
export function fromMkDocs(config: unknown, pages: BuilderPages): Json {
    const { site_name: name, site_description: description, nav, repo_url: repository } = asRecord(config);
    const entries = entriesOf(nav, pages);
    const links = typeof repository === "string" ? [{ label: "Repository", href: repository }] : [];
    const navigation = entries.length === 0 ? undefined : { pages: entries };
    return withoutUndefined({ name, description, navbar: { links }, navigation });
}

/** Reads entries of `nav`: paths, or objects with a title as the key, and a path or list as the value. */
function entriesOf(nav: unknown, pages: BuilderPages): Entry[] {
    return listOf(nav).flatMap((entry): Entry[] => {
        if (typeof entry === "string") {
            return folderOrPage(entry, pages);
        }
        return Object.entries(isRecord(entry) ? entry : {}).flatMap(([group, value]): Entry[] => {
            const path = textOf(value);
            if (path !== undefined) {
                return folderOrPage(path, pages, group);
            }
            const inside = entriesOf(value, pages);
            const [first] = inside;
            // A section without a name gets the name of its first page.
            const name = group === "" && typeof first === "string" ? pages.titleOf(first) : group;
            return inside.length === 0 ? [] : [{ group: name ?? "", pages: inside }];
        });
    });
}

/** A page, or a whole folder (`guides/`), which MkDocs plugins allow. */
function folderOrPage(path: string, pages: BuilderPages, group?: string): Entry[] {
    const route = path.endsWith("/") ? undefined : pages.find(path);
    if (route !== undefined) {
        return [route];
    }
    const inside = path.endsWith("/") ? pages.below(path.replace(/^\*|\/$/g, "")) : [];
    return inside.length === 0 || group === undefined ? inside : [{ group, pages: inside }];
}
