/** The maximum number of distinct warnings in a job. */
export const maxJobWarnings = 100;

/** The maximum number of places after the first one in a warning. */
export const maxWarningPlaces = 20;

/** Formats a place as `guides/start.md:12`, or as the file alone. */
export function describePlace({ file, line }: { file: string; line?: number | undefined }): string {
    return line === undefined ? file : `${file}:${line}`;
}
