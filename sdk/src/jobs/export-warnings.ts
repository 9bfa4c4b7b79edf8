import { describePlace, type ExportWarning } from "@pulumi-static-export/contract";

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
