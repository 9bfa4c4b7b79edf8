/** The supported releases of Node.js, as in each package's `engines`: the maintained ones since 22.13. */
export const nodeRange = "^22.13 || >=24";

/** Whether a version such as `24.1.0` is in {@link nodeRange}. */
export function isSupportedNode(version: string): boolean {
    const [major = 0, minor = 0] = version.split(".").map(Number);
    return major >= 24 || (major === 22 && minor >= 13);
}

/** The oldest supported release of `@pulumi/pulumi`, and the first release that is not tested. */
export const minPulumiSdk = "3.216.0";
export const nextPulumiSdk = "4.0.0";

/**
 * Whether a version such as `v3.245.0` is older than another. For a version without numbers, `isOlder` and `isAtLeast`
 * both return false. Suffixes such as `-alpha.1` are ignored.
 */
export function isOlder(version: string, other: string): boolean {
    const order = compare(version, other);
    return order !== undefined && order < 0;
}

/** Whether a version is equal to another one, or newer. */
export function isAtLeast(version: string, min: string): boolean {
    const order = compare(version, min);
    return order !== undefined && order >= 0;
}

function compare(version: string, other: string): number | undefined {
    const [numbers, others] = [parseVersion(version), parseVersion(other)];
    if (numbers === undefined || others === undefined) {
        return undefined;
    }
    const differences = numbers.map((number, at) => number - others[at]!);
    return differences.find((difference) => difference !== 0) ?? 0;
}

/** Returns the three numbers of a version such as `v3.245.0` or `20.19`. */
function parseVersion(version: string): number[] | undefined {
    const [, ...numbers] = /^\s*v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? [];
    return numbers.length === 0 ? undefined : numbers.map((number: string | undefined) => Number(number ?? 0));
}
