import { type SiteWarning } from "../problems/warnings.js";

/** Pages with a title in the navigation, or without one where they stand among those around them. */
export interface MadeGroup {
    readonly title: string | undefined;
    readonly routes: readonly string[];
}

/** Makes pages of the documents of one specification for entries of the navigation. */
export interface DocumentPages {
    /** Documents that an entry names; pages that name none may mean them. */
    nameDocuments(sources: readonly string[]): void;
    /** Pages of everything in the documents, in groups by their tags. */
    all(sources: readonly string[], folder: string): readonly MadeGroup[];
}

/** Makes pages of OpenAPI documents. */
export interface ApiPages extends DocumentPages {
    /** The page of one operation, such as `POST /pets`; undefined when no document has it, which gives the warning. */
    operation(
        endpoint: string,
        sources: readonly string[],
        folder: string,
        notFound: () => SiteWarning,
    ): string | undefined;
}
