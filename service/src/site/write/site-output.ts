import { type DeflatedPiece } from "./deflated-piece.js";
import { type PartFacts } from "./part-facts.js";

/** Text for a file that is written later, in the form in which the output keeps it. */
export type PreparedText = string | Promise<DeflatedPiece>;

/** Where an export's files go. A failure surfaces at a later call, at the latest at the end. */
export interface SiteOutput {
    write(file: string, content: string): Promise<void>;
    /** Writes what the descriptor holds, and closes it. */
    copy(file: string, descriptor: number): Promise<void>;
    prepare(text: string): PreparedText;
    /** @param texts of `prepare`, and of parts that were taken over */
    writePrepared(file: string, texts: readonly PreparedText[]): Promise<void>;
    /** Undefined where pages are not taken over in parts. */
    readonly parts: SiteParts | undefined;
}

/** Some of a site's pages, which an archive keeps and takes over as a whole. */
export interface SiteParts {
    /** Takes over the part from the last export; undefined if the last export has no such part. */
    reuse(
        key: string,
        isCurrent: (facts: PartFacts) => boolean,
    ): Promise<{ readonly facts: PartFacts; readonly search: PreparedText } | undefined>;
    begin(): Promise<void>;
    /** @param facts undefined when the part cannot be used again */
    end(key: string, search: PreparedText, facts: PartFacts | undefined): Promise<void>;
}
