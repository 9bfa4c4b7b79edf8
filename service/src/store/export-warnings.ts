export interface ExportWarning {
    /** The kind of warning, such as `link` or `component`. */
    kind: string;
    /** Relative to the site's folder. */
    file: string;
    line?: number;
    reason: string;
}

export interface ExportWarnings {
    /** All warnings, including those beyond `first`. */
    count: number;
    countByKind: Record<string, number>;
    /** At most 100. */
    first: ExportWarning[];
}
