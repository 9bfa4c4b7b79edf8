import { type PartFacts } from "./part-facts.js";

/** Where an export's files go. A failure surfaces at a later call, at the latest at the end. */
export interface SiteOutput {
    write(file: string, content: string): Promise<void>;
    /** Writes what the descriptor holds, and closes it. */
    copy(file: string, descriptor: number): Promise<void>;
    /** Undefined where pages are not taken over in parts. */
    readonly parts: SiteParts | undefined;
}

/** Some of a site's pages, which an archive keeps and takes over as a whole. */
export interface SiteParts {
    /** Takes over the part from the last export; undefined if the last export has no such part. */
    reuse(key: string, isCurrent: (facts: PartFacts) => boolean): Promise<PartFacts | undefined>;
    begin(): Promise<void>;
    /** @param facts undefined when the part cannot be used again */
    end(key: string, facts: PartFacts | undefined): Promise<void>;
}
