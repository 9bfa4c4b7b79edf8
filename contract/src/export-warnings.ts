/** A mistake in a site that does not prevent its export. Each string is one line of limited length. */
export interface ExportWarning {
    /** The kind of mistake, such as `link` or `component`. */
    kind: string;
    /** The file, relative to the site's folder. */
    file: string;
    /** The line, counted from 1; absent if the mistake is not in one particular line. */
    line?: number;
    reason: string;
    /** The number of places with this warning; absent if it occurs only once. */
    places?: number;
    /** The places after the first one, such as `guides/start.md:12`; at most 20. */
    alsoIn?: string[];
}

/** The mistakes that a site's authors should fix. */
export interface ExportWarnings {
    /** The number of all places with a warning, including the places that `first` omits. */
    count: number;
    /** The first distinct warnings, at most 100. */
    first: ExportWarning[];
}

/** The maximum number of distinct warnings in a job. */
export const maxJobWarnings = 100;

/** The maximum number of places after the first one in a warning. */
export const maxWarningPlaces = 20;

/** Formats a place as `guides/start.md:12`, or as the file alone. */
export function describePlace({ file, line }: { file: string; line?: number | undefined }): string {
    return line === undefined ? file : `${file}:${line}`;
}
