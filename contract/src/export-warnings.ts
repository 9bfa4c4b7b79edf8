/** One mistake in a site, which does not prevent its export. All texts are bounded and on one line. */
export interface ExportWarning {
    /** Such as `link` or `component`. */
    kind: string;
    /** Relative to the site's folder. */
    file: string;
    /** From 1; absent if the mistake is not in one particular line. */
    line?: number;
    reason: string;
    /** How many places have this warning; absent for one. */
    places?: number;
    /** The places after the first one, such as `guides/start.md:12`; at most 20. */
    alsoIn?: string[];
}

/** What a site's authors should fix. */
export interface ExportWarnings {
    /** All places with a warning, including those that are not in `first`. */
    count: number;
    /** The first different ones, at most 100. */
    first: ExportWarning[];
}

/** The number of different warnings that a job has. */
export const maxJobWarnings = 100;

/** The number of places after the first one that a warning lists. */
export const maxWarningPlaces = 20;

/** `guides/start.md:12`, or the file alone. */
export function describePlace({ file, line }: { file: string; line?: number | undefined }): string {
    return line === undefined ? file : `${file}:${line}`;
}
