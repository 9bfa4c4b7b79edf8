import { statSync } from "node:fs";
import { dirname } from "node:path";

/** Describes who owns the file, or the nearest folder around it that exists; undefined if this user owns it. */
export function describeOwner(path: string): string | undefined {
    const own = process.getuid?.();
    const found = findStat(path);
    if (own === undefined || found === undefined || found.uid === own) {
        return undefined;
    }
    const whose = found.place === path ? "it" : `the folder ${found.place}`;
    return `${whose} belongs to ${found.uid === 0 ? "root" : `user ${found.uid}`}, and this process runs as user ${own}`;
}

function findStat(path: string): { place: string; uid: number } | undefined {
    for (let place = path; ; place = dirname(place)) {
        try {
            return { place, uid: statSync(place).uid };
        } catch {
            if (place === dirname(place)) {
                return undefined;
            }
        }
    }
}
