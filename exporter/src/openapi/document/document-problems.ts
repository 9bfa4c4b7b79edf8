import { describePlace } from "@pulumi-static-export/contract";
import { type SiteWarning, type SourcePlace } from "../../problems/warnings.js";

interface MissingDocument {
    readonly problem: SiteWarning;
    /** Whether the problem says where the document is; otherwise it is reported where the document is needed first. */
    readonly isPlaced: boolean;
    readonly neededAt: SourcePlace[];
}

/**
 * Collects what is wrong with the documents of APIs. A document that cannot be read is reported once, with the number of
 * places that need it: each of its operations has a page, and a warning for each of them would hide all others.
 */
export class DocumentProblems {
    readonly #missing = new Map<string, MissingDocument>();
    readonly #notFound: { warning: SiteWarning; source: string | undefined }[] = [];
    readonly #others: SiteWarning[] = [];

    /** @param specification the name of that of the documents, such as OpenAPI */
    constructor(private readonly specification: string) {}

    add(problem: SiteWarning): void {
        this.#others.push(problem);
    }

    addMissing(source: string, problem: SiteWarning, isPlaced: boolean): void {
        this.#missing.set(source, { problem, isPlaced, neededAt: [] });
    }

    /**
     * An operation or a model was not found.
     * @param source the document that had to have it; undefined where any document may
     */
    addNotFound(warning: SiteWarning, source: string | undefined): void {
        this.#notFound.push({ warning, source });
    }

    /** Call it once, when all pages have been read. @param hasDocuments whether the site has any document */
    all(hasDocuments: () => boolean): SiteWarning[] {
        const rest = this.#notFound.filter(({ warning, source }) => {
            const suspects = source === undefined ? [...this.#missing.values()] : [this.#missing.get(source)];
            const missing = suspects.filter((document) => document !== undefined);
            missing.forEach(({ neededAt }) => neededAt.push(warning));
            return missing.length === 0;
        });
        const notFound = rest.map(({ warning }) => warning);
        const [first, second] = notFound;
        const isWithoutDocuments = first !== undefined && second !== undefined && !hasDocuments();
        const reason = `the site has no ${this.specification} document: put one into the site, or leave what it describes out of the pages`;
        const others = isWithoutDocuments ? [withNeed({ ...first, reason }, notFound)] : notFound;
        const missing = [...this.#missing.values()].map(({ problem, isPlaced, neededAt }) => {
            const [{ file, line } = problem] = isPlaced ? [] : neededAt;
            return withNeed({ ...problem, file, line }, neededAt);
        });
        return [...missing, ...others, ...this.#others];
    }
}

function withNeed(problem: SiteWarning, neededAt: readonly SourcePlace[]): SiteWarning {
    const [first] = neededAt;
    if (first === undefined) {
        return problem;
    }
    const place = describePlace(first);
    const need =
        neededAt.length === 1 ? `needed at ${place}` : `needed in ${neededAt.length} places, first at ${place}`;
    return { ...problem, reason: `${problem.reason} (${need})` };
}
