/** The numbers of a version such as `v3.245.0`; undefined where the text has none. */
function parseVersion(text: string): number[] | undefined {
    const [, ...numbers] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? [];
    return numbers.length === 0 ? undefined : numbers.map((number: string | undefined) => Number(number ?? 0));
}

/** Whether a version is as new as another. What has no numbers is not. */
export function isAtLeast(version: string, least: string): boolean {
    const [numbers, wanted] = [parseVersion(version), parseVersion(least)];
    if (numbers === undefined || wanted === undefined) {
        return false;
    }
    const index = numbers.findIndex((number, at) => number !== wanted[at]);
    return index === -1 || numbers[index]! > wanted[index]!;
}

/** The least version that a range such as `>=20.19` asks for; undefined for ranges of another form. */
export function leastOf(range: string | undefined): string | undefined {
    const [, version] = /^>=\s*v?(\d+(?:\.\d+)*)$/.exec(range?.trim() ?? "") ?? [];
    return version?.includes(".") ? version : version && `${version}.0`;
}
