import { type Corpus } from "../corpus.js";
import { type Usage } from "../measured-process.js";
import { type PartTimes } from "../part-times.js";

export interface Build {
    readonly usage: Usage;
    readonly outDir: string;
    /** Known only for this project. */
    readonly parts?: PartTimes;
}

/** A folder where a builder can build a site repeatedly. */
export interface Project {
    /** The folder of the project's pages. */
    readonly pagesDir: string;
    /** Builds everything that is not in the builder's cache. */
    build(): Promise<Build>;
}

/** The changes since the previous build. */
export type Since = "nothing changed" | "one page changed";

export interface Builder {
    readonly name: string;
    /** The builds to measure after the cold build, in this order. */
    readonly later: readonly Since[];
    /** Gives `use` a new project without a cache, and removes it afterwards. */
    withProject<T>(corpus: Pick<Corpus, "write">, use: (project: Project) => Promise<T>): Promise<T>;
}
