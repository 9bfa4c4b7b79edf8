import { type ConfigProblem } from "../settings/docs-config.js";

export type NavigationProblem = ConfigProblem & { readonly line: number | undefined };

const maxNamed = 3;

/** The pages that a navigation names in vain. */
export class MissingPages {
    readonly #pages = new Set<string>();
    readonly #problems: NavigationProblem[] = [];

    add(page: string, problem: NavigationProblem): void {
        this.#pages.add(page);
        this.#problems.push(problem);
    }

    /** One of each place that names such a page, and before them one of all pages where there are several. */
    get problems(): readonly NavigationProblem[] {
        const pages = [...this.#pages];
        const [first] = this.#problems;
        if (first === undefined || pages.length === 1) {
            return this.#problems;
        }
        const named = pages.slice(0, maxNamed).join(", ") + (pages.length > maxNamed ? " and others" : "");
        const reason = `navigation names ${pages.length} pages that do not exist, so readers do not get them: ${named}`;
        return [{ ...first, reason }, ...this.#problems];
    }
}
