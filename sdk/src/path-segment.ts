import { InvalidSettingsError } from "./errors/index.js";

/**
 * An id as one segment of a path.
 * @throws InvalidSettingsError for an id that would name another path: empty, `.` and `..`
 */
export function pathSegment(name: string, id: string): string {
    if (id === "" || id === "." || id === "..") {
        throw new InvalidSettingsError(name, `must be an id that the API gave, got "${id}".`);
    }
    return encodeURIComponent(id);
}
