const isTree = (value) => typeof value === "object" && value !== null;

/** Returns the paths at which two trees of values differ, in Pulumi's notation. */
export function changedPaths(before, after, path = "") {
    if (isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after)) {
        const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
        const pathOf = (key) => (Array.isArray(before) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`);
        return keys.flatMap((key) => changedPaths(before[key], after[key], pathOf(key)));
    }
    if (before === after) {
        return [];
    }
    return [{ path, change: before === undefined ? "ADD" : after === undefined ? "DELETE" : "UPDATE" }];
}
