import { readPublic } from "../../read/access/reader-limits.js";

/** The readers that `public` in a navigation allows. */
export interface NavigationLimits {
    /**
     * Limits of pages by route, each from the innermost part around the page. A page in several parts is public only if
     * all these parts are public.
     */
    readonly isPublic: ReadonlyMap<string, boolean>;
    /** The limits of documents, by their names in the navigation. */
    readonly isPublicDocument: ReadonlyMap<string, boolean>;
    /** Whether `public: true` occurs outside of private parts, which shows that the rest of the site needs a login. */
    readonly needsLogin: boolean;
}

/** Collects the limits in a navigation while other code reads the navigation. */
export class FoundLimits implements NavigationLimits {
    readonly isPublic = new Map<string, boolean>();
    readonly isPublicDocument = new Map<string, boolean>();
    needsLogin = false;

    /** The limits that a part sets, or else the limits of the parts around it. */
    ofPart(part: Readonly<Record<string, unknown>>, around: boolean | undefined): boolean | undefined {
        const own = readPublic(part["public"]);
        this.needsLogin ||= own === true && around === undefined;
        return own ?? around;
    }

    /** @returns the route @param isPublic the value of the part that lists the page */
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
