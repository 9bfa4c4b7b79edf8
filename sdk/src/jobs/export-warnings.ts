import {
    describePlace,
    type ExportWarning,
    type ExportWarnings,
    maxJobWarnings,
    maxWarningPlaces,
} from "@pulumi-static-export/contract";
import {
    type Clean,
    decodeObject,
    DecodeProblem,
    decodeSize,
    decodeText,
    type JsonObject,
    optionalField,
} from "../http/decode.js";

const maxPlacesShown = 3;

/** `link: guides/start.md:12: … (and in 5 more places: guides/next.md:3, …)`, on one line. */
export function describeExportWarning({ kind, file, line, reason, places = 1, alsoIn = [] }: ExportWarning): string {
    return `${kind}: ${describePlace({ file, line })}: ${reason}${places > 1 ? describeOthers(places - 1, alsoIn) : ""}`;
}

function describeOthers(count: number, places: readonly string[]): string {
    const shown = places.slice(0, maxPlacesShown);
    const list = [...shown, ...(count > shown.length ? ["…"] : [])].join(", ");
    return ` (and in ${count} more ${count === 1 ? "place" : "places"}: ${list})`;
}

/** The number of places that the warnings name. */
export function countPlaces(warnings: readonly ExportWarning[]): number {
    return warnings.reduce((sum, { places = 1 }) => sum + places, 0);
}

/** Skips malformed entries. */
export function decodeExportWarnings(job: JsonObject, key: string, clean: Clean): ExportWarnings {
    const warnings = decodeObject(job[key], `"${key}"`);
    const { first } = warnings;
    if (!Array.isArray(first)) {
        throw new DecodeProblem(`"${key}" must have an array "first"`);
    }
    return {
        count: decodeSize(warnings, "count"),
        first: first.slice(0, maxJobWarnings).flatMap((warning) => decodeWarning(warning, clean)),
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
    return places.slice(0, maxWarningPlaces).flatMap((place) => (typeof place === "string" ? [clean(place)] : []));
}
