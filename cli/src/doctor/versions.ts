/** The numbers of a version such as `v3.245.0`; undefined if there are none. */
function parseVersion(text: string): number[] | undefined {
    const [, ...numbers] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? [];
    return numbers.length === 0 ? undefined : numbers.map((number: string | undefined) => Number(number ?? 0));
}

/** Whether a version is at least another. A version without numbers is not. */
export function isAtLeast(version: string, least: string): boolean {
    const [numbers, wanted] = [parseVersion(version), parseVersion(least)];
    if (numbers === undefined || wanted === undefined) {
        return false;
    }
    const index = numbers.findIndex((number, at) => number !== wanted[at]);
    return index === -1 || numbers[index]! > wanted[index]!;
}

/** The minimum version of a range such as `>=20.19`; undefined for ranges of another form. */
export function leastOf(range: string | undefined): string | undefined {
    const [, version] = /^>=\s*v?(\d+(?:\.\d+)*)$/.exec(range?.trim() ?? "") ?? [];
    return version?.includes(".") ? version : version && `${version}.0`;
}
