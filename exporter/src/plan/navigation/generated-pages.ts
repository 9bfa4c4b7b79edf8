import { getOrMake } from "../../text/get-or-make.js";
import { type ListedSubject } from "../../api/documents/parse-document.js";
import { cutRoute, freeRoute, partOfRoute } from "../../read/files/generated-routes.js";

/** The pages that are generated from documents: routes without a file, each with its subject. */
export class GeneratedPages<S extends ListedSubject & { readonly document: object }> {
    readonly all = new Map<string, S>();

    /**
     * @param files the page files by route
     * @param written the pages that files describe
     */
    constructor(
        private readonly files: ReadonlyMap<string, string>,
        private readonly written: WrittenPages<S>,
    ) {}

    /**
     * Returns the route that the document sets, or a route built from the tag and the name, with a number if another
     * page has the same route.
     */
    routeOf(subject: S, folder: string): string {
        const wanted = subject.route ?? routeBelow(folder, subject);
        if (this.written.routesOf(subject).includes(wanted)) {
            return wanted;
        }
        const route = freeRoute(cutRoute(wanted), (each) => {
            const known = this.all.get(each);
            return known === subject || (known === undefined && !this.files.has(each));
        });
        this.all.set(route, subject);
        return route;
    }

    /** Whether any of the subjects has a page. */
    haveAny(subjects: readonly S[]): boolean {
        const generated = new Set(this.all.values());
        return (
            subjects.some((subject) => generated.has(subject)) ||
            subjects.some((subject) => this.written.routesOf(subject).length > 0)
        );
    }

    /** The pages of subjects, in the order in which their groups first occur. */
    groupsOf(subjects: readonly S[], folder: string): GeneratedGroup[] {
        const groups = new Map<string | undefined, string[]>();
        for (const subject of subjects.filter(({ isHidden }) => !isHidden)) {
            const route = this.written.routeIn(folder, subject) ?? this.routeOf(subject, folder);
            getOrMake(groups, subject.group, () => []).push(route);
        }
        return [...groups].map(([title, routes]) => ({ title, routes }));
    }
}

/** The pages of one group in the navigation; the group has no title if the surrounding entries already show it. */
interface GeneratedGroup {
    readonly title: string | undefined;
    readonly routes: readonly string[];
}

function routeBelow(folder: string, { tag, names }: ListedSubject): string {
    const parts = names.map((each) => partOfRoute(each.replaceAll("/", " ")).replace(/-{2,}/g, "-"));
    const name = parts.find((each) => each !== "");
    return [folder, partOfRoute(tag), name].filter((each) => each !== "").join("/");
}

/** Finds the subject that a page describes, in the document of any subject; undefined if it is not in that document. */
type FindSubject<S> = (other: S) => S | undefined;

/** The pages of subjects that files describe, wherever the files are. */
export class WrittenPages<S extends { readonly document: object }> {
    readonly #routes = new Map<object, Map<S, string[]>>();
    readonly #listed = new Map<S, { readonly route: string; readonly folder: string }>();
    readonly #taken = new Set<string>();
    #pages: readonly (readonly [route: string, find: FindSubject<S>])[] | undefined;

    /** @param read the pages that describe subjects, by route; called on first use, because it reads all files */
    constructor(private readonly read: () => Iterable<readonly [route: string, find: FindSubject<S>]>) {}

    routesOf(subject: S): readonly string[] {
        this.#pages ??= [...this.read()];
        const pages = this.#pages;
        const ofDocument = getOrMake(this.#routes, subject.document, () => {
            const found = new Map<S, string[]>();
            for (const [route, find] of pages) {
                const described = find(subject);
                if (described !== undefined) {
                    getOrMake(found, described, () => []).push(route);
                }
            }
            return found;
        });
        return ofDocument.get(subject) ?? [];
    }

    /**
     * The page of a subject for the list of a folder. The list of a second folder, for example for another language or
     * version, does not contain the page.
     */
    routeIn(folder: string, subject: S): string | undefined {
        const listed = this.#listed.get(subject);
        if (listed !== undefined) {
            return listed.folder === folder ? listed.route : undefined;
        }
        const routes = this.routesOf(subject).filter((route) => !this.#taken.has(route));
        const route = routes.find((each) => each.startsWith(`${folder}/`)) ?? routes[0];
        if (route !== undefined) {
            this.#listed.set(subject, { route, folder });
            this.#taken.add(route);
        }
        return route;
    }
}
