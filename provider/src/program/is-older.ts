/** Whether a version such as `3.245.0` is older than another. One without three numbers is not. */
export function isOlder(version: string, other: string): boolean {
    const [numbers, wanted] = [numbersOf(version), numbersOf(other)];
    const index = numbers.findIndex((number, at) => number !== wanted[at]);
    return index !== -1 && wanted.length > 0 && numbers[index]! < wanted[index]!;
}

function numbersOf(version: string): number[] {
    return /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
}
