import type { OuterPlace, SiteReader } from "./site-target.js";

/** Returns the places at all folders that contain a prefix, which ends with a slash, the nearest first. */
export function placesAbove(prefix: string, openAt: (folder: string) => SiteReader): OuterPlace[] {
    const places: OuterPlace[] = [];
    for (let rest = prefix; rest !== "";) {
        rest = rest.slice(0, rest.lastIndexOf("/", rest.length - 2) + 1);
        places.push({ reader: openAt(rest), folder: prefix.slice(rest.length) });
    }
    return places;
}
