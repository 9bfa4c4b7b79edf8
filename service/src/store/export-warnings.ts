export interface ExportWarning {
    /** The kind of warning, such as `link` or `component`. */
    kind: string;
    /** Relative to the site's folder. */
    file: string;
    line?: number;
    reason: string;
    /** How many places have this warning, when there are several. */
    places?: number;
    /** The places after the first one, such as `guides/start.md:12`; at most 20. */
    alsoIn?: string[];
}

export interface ExportWarnings {
    /** All places with a warning, including those beyond `first`. */
    count: number;
    countByKind: Record<string, number>;
    /** At most 100; one that several places have is listed once. */
    first: ExportWarning[];
}
