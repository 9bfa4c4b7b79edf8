import { readPublic } from "../../read/access/limits.js";

/** What `public` in a navigation says of readers. */
export interface NavigationLimits {
    /**
     * Of pages by route: what the innermost part around a page says. A page in several parts is public only if all say
     * so.
     */
    readonly isPublic: ReadonlyMap<string, boolean>;
    /** The same of documents, by the names that the parts give them. */
    readonly isPublicDocument: ReadonlyMap<string, boolean>;
    /** `public: true` stands where nothing around it is private: it tells that the rest of the site needs a login. */
    readonly needsLogin: boolean;
}

/** Collects what the parts of a navigation say while they are read. */
export class FoundLimits implements NavigationLimits {
    readonly isPublic = new Map<string, boolean>();
    readonly isPublicDocument = new Map<string, boolean>();
    needsLogin = false;

    /** What a part says, or else what is said around it. */
    ofPart(part: Readonly<Record<string, unknown>>, around: boolean | undefined): boolean | undefined {
        const own = readPublic(part["public"]);
        this.needsLogin ||= own === true && around === undefined;
        return own ?? around;
    }

    /** @returns the route @param isPublic what is said of the part that lists the page */
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
