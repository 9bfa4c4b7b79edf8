import {
    type Clean,
    decodeObject,
    DecodeProblem,
    decodeSize,
    decodeText,
    type JsonObject,
    optionalField,
} from "../http/decode.js";

/** One mistake in a site, which does not keep it from being exported. All texts are bounded and on one line. */
export interface ExportWarning {
    /** Such as `link` or `component`. */
    kind: string;
    /** Relative to the site's folder. */
    file: string;
    /** From 1; absent if the mistake is in no one line. */
    line?: number;
    reason: string;
    /** How many places have this warning; absent for one. */
    places?: number;
    /** The places after the first one, such as `guides/start.md:12`; at most 20. */
    alsoIn?: string[];
}

/** What a site's authors should mend. */
export interface ExportWarnings {
    /** All places with a warning, including those that are not in `first`. */
    count: number;
    /** The first different ones, at most 100. */
    first: ExportWarning[];
}

const mostWarnings = 100;
const mostPlaces = 20;
const mostPlacesShown = 3;

/** `link: guides/start.md:12: … (and in 5 more places: guides/next.md:3, …)`, on one line. */
export function describeExportWarning({ kind, file, line, reason, places = 1, alsoIn = [] }: ExportWarning): string {
    const where = line === undefined ? file : `${file}:${line}`;
    return `${kind}: ${where}: ${reason}${places > 1 ? describeOthers(places - 1, alsoIn) : ""}`;
}

function describeOthers(count: number, places: readonly string[]): string {
    const shown = places.slice(0, mostPlacesShown);
    const list = [...shown, ...(count > shown.length ? ["…"] : [])].join(", ");
    return ` (and in ${count} more ${count === 1 ? "place" : "places"}: ${list})`;
}

/** How many places the warnings are about. */
export function countPlaces(warnings: readonly ExportWarning[]): number {
    return warnings.reduce((sum, { places = 1 }) => sum + places, 0);
}

/** Entries of another form are left out. */
export function decodeExportWarnings(job: JsonObject, key: string, clean: Clean): ExportWarnings {
    const warnings = decodeObject(job[key], `"${key}"`);
    const { first } = warnings;
    if (!Array.isArray(first)) {
        throw new DecodeProblem(`"${key}" must have an array "first"`);
    }
    return {
        count: decodeSize(warnings, "count"),
        first: first.slice(0, mostWarnings).flatMap((warning) => decodeWarning(warning, clean)),
    };
}

function decodeWarning(value: unknown, clean: Clean): ExportWarning[] {
    try {
        const warning = decodeObject(value);
        const { line, alsoIn } = warning;
        return [
            {
                kind: decodeText(warning, "kind", clean),
                file: decodeText(warning, "file", clean),
                ...(Number.isSafeInteger(line) && { line: line as number }),
                reason: decodeText(warning, "reason", clean),
                ...optionalField(warning, "places", decodeSize),
                ...(Array.isArray(alsoIn) && { alsoIn: decodePlaces(alsoIn, clean) }),
            },
        ];
    } catch (error) {
        if (error instanceof DecodeProblem) {
            return [];
        }
        throw error;
    }
}

function decodePlaces(places: readonly unknown[], clean: Clean): string[] {
    return places.slice(0, mostPlaces).flatMap((place) => (typeof place === "string" ? [clean(place)] : []));
}
