import { type Corpus } from "./corpus.js";
import { type Usage } from "./measured-process.js";

/** A folder in which one builder can build one site, again and again. */
export interface Project {
    /** Where its pages stand. */
    readonly pagesDir: string;
    /** Builds everything, or what its own cache does not have. */
    build(): Promise<{ usage: Usage; outDir: string }>;
}

/** What happened since the build before. */
export type Since = "nothing changed" | "one page changed";

export interface Builder {
    readonly name: string;
    /** The builds to measure after the one from nothing, in this order. */
    readonly later: readonly Since[];
    /** A new project without any cache, of which nothing is left when `use` is done. */
    withProject<T>(corpus: Corpus, use: (project: Project) => Promise<T>): Promise<T>;
}
