export interface ExportWarning {
    /** What it is about, such as `link` or `component`. */
    kind: string;
    /** Relative to the site's folder. */
    file: string;
    line?: number;
    reason: string;
}

export interface ExportWarnings {
    /** All of them, those beyond `first` included. */
    count: number;
    countByKind: Record<string, number>;
    /** At most 100. */
    first: ExportWarning[];
}
