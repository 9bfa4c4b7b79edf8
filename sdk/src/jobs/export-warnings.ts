import {
    describePlace,
    type ExportWarning,
    type ExportWarnings,
    maxJobWarnings,
    maxWarningPlaces,
} from "@pulumi-static-export/contract";
import { cleaned, type Decoder, fields, list, optional, size, text, unlessInvalid } from "../http/decode.js";

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

/** At most `max` entries: malformed ones are skipped. */
function validOf<T>(max: number, decode: Decoder<T>): Decoder<T[]> {
    return (value, what, clean) => {
        const entries: unknown[] = list((entry) => entry)(value, what, clean);
        return entries.slice(0, max).flatMap((entry) => unlessInvalid(() => decode(entry, what, clean)));
    };
}

const warning: Decoder<ExportWarning> = fields({
    kind: text,
    file: text,
    line: optional(size),
    reason: text,
    places: optional(size),
    alsoIn: optional(validOf(maxWarningPlaces, cleaned)),
});

export const exportWarnings: Decoder<ExportWarnings> = fields({ count: size, first: validOf(maxJobWarnings, warning) });
