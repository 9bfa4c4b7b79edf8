import { type SiteWarning } from "../problems/warnings.js";

/** Makes pages of an OpenAPI document for entries of the navigation. */
export interface ApiPages {
    /** Documents that an entry names; pages that name none may mean them. */
    nameDocuments(sources: readonly string[]): void;
    /** The page of one operation, such as `POST /pets`; undefined when no document has it, which gives the warning. */
    operation(
        endpoint: string,
        sources: readonly string[],
        folder: string | undefined,
        notFound: () => SiteWarning,
    ): string | undefined;
    /** Pages of all operations, in groups by their tags. */
    all(
        sources: readonly string[],
        folder: string | undefined,
    ): readonly { title: string; routes: readonly string[] }[];
}
