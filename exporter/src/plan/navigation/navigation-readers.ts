import { readPublic } from "../../read/readers/readers-settings.js";

/** The readers that `public` in a navigation allows, collected while other code reads the navigation. */
export class NavigationReaders {
    /**
     * Whether pages are public, by route, each from the innermost entry around the page. A page in several entries is
     * public only if all these entries are public.
     */
    readonly isPublic = new Map<string, boolean>();
    /** Whether documents are public, by their names in the navigation. */
    readonly isPublicDocument = new Map<string, boolean>();
    /** Whether `public: true` occurs outside of private entries, which shows that the rest of the site needs a login. */
    needsLogin = false;

    /** Whether an entry is public: its own setting, or else the setting of the entries around it. */
    ofEntry(entry: Readonly<Record<string, unknown>>, around: boolean | undefined): boolean | undefined {
        const own = readPublic(entry["public"]);
        this.needsLogin ||= own === true && around === undefined;
        return own ?? around;
    }

    /** @returns the route @param isPublic the value of the entry that lists the page */
    add(route: string, isPublic: boolean | undefined): string {
        narrow(this.isPublic, route, isPublic);
        return route;
    }

    addDocuments(sources: readonly string[], isPublic: boolean | undefined): void {
        sources.forEach((source) => narrow(this.isPublicDocument, source, isPublic));
    }
}

function narrow(all: Map<string, boolean>, name: string, isPublic: boolean | undefined): void {
    if (isPublic !== undefined) {
        all.set(name, isPublic && all.get(name) !== false);
    }
}
