import { copyString } from "../text/copy-string.js";
import { type GroupTerms } from "../search/group-terms.js";
import { type AnchorLink, type PageAnchors } from "../links/anchor-check.js";
import { type SiteWarning } from "../problems/warnings.js";

/** What was found while some pages were written, in addition to their text. */
export interface PartFacts {
    readonly warnings: readonly SiteWarning[];
    readonly linkedAssets: readonly string[];
    /** Files that the pages import, with digests of their texts. */
    readonly imports: readonly (readonly [file: string, digest: string])[];
    readonly anchors: PageAnchors;
    readonly hasDiagram: boolean;
    /** The names of classes that are not the theme's. */
    readonly classes: readonly string[];
    /** What the search finds in the pages; empty in an export without search. */
    readonly search: readonly GroupTerms[];
}

/** A part with more warnings is written again in each export. */
const maxWarnings = 300;

/** Collects what writing one part finds. */
export class PartRecorder {
    readonly linkedAssets = new Set<string>();
    readonly classes = new Set<string>();
    readonly #warnings: SiteWarning[] = [];
    readonly #ids: number[] = [];
    readonly #anchorLinks: AnchorLink[] = [];
    readonly #imports = new Map<string, string>();
    #isBounded = true;
    hasDiagram = false;

    warn(warning: SiteWarning): void {
        if (this.#warnings.length < maxWarnings) {
            this.#warnings.push({ ...warning, reason: copyString(warning.reason) });
        } else {
            this.#isBounded = false;
        }
    }

    imports(files: readonly (readonly [file: string, digest: string])[]): void {
        files.forEach(([file, digest]) => this.#imports.set(file, digest));
    }

    anchors({ ids, links }: PageAnchors): void {
        this.#ids.push(...ids);
        this.#anchorLinks.push(...links);
    }

    /** @param frameAssets files that the pages' frames link to */
    facts(frameAssets: ReadonlySet<string>, search: readonly GroupTerms[]): PartFacts | undefined {
        return this.#isBounded
            ? {
                  warnings: this.#warnings,
                  linkedAssets: [...new Set([...frameAssets, ...this.linkedAssets])],
                  imports: [...this.#imports],
                  anchors: { ids: this.#ids, links: this.#anchorLinks },
                  hasDiagram: this.hasDiagram,
                  classes: [...this.classes],
                  search,
              }
            : undefined;
    }
}
