/** Writes a count with its noun, such as `1 page` or `2 pages`. */
export function amount(count: number, one: string, many: string): string {
    return `${count} ${count === 1 ? one : many}`;
}

/** Writes a size for people, such as `340 bytes` or `12.3 MB`. */
export function describeBytes(bytes: number): string {
    const units = ["kB", "MB", "GB", "TB"];
    const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length);
    return power === 0 ? amount(bytes, "byte", "bytes") : `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}
