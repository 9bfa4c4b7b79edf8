import * as pulumi from "@pulumi/pulumi";

/**
 * Names a trigger that Pulumi would store without its content, as a sentence without a full stop; undefined if there is
 * none. Does not check the later values of promises and outputs.
 *
 * @param args - of a resource; JavaScript programs may omit them
 */
export function findLostTrigger(args: { triggers?: unknown } | null | undefined): string | undefined {
    const lost = findLost(args?.triggers, new Set());
    return lost === undefined
        ? undefined
        : `triggers contains ${lost}, but Pulumi stores it without its content: a change would go unnoticed. Pass ` +
              "its content as a string";
}

function findLost(value: unknown, seen: Set<object>): string | undefined {
    if (typeof value === "function" || typeof value === "bigint" || typeof value === "symbol") {
        return `a ${typeof value}`;
    }
    if (typeof value !== "object" || value === null || seen.has(value) || isPulumiValue(value)) {
        return undefined;
    }
    seen.add(value);
    const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);
    const items: unknown[] = Object.values(value);
    if (!isPlain && items.length === 0) {
        return `a ${value.constructor.name}`;
    }
    return items.map((item) => findLost(item, seen)).find((lost) => lost !== undefined);
}

/** Whether Pulumi has its own way to serialise a value. */
function isPulumiValue(value: object): boolean {
    return (
        value instanceof Promise ||
        pulumi.Output.isInstance(value) ||
        pulumi.Resource.isInstance(value) ||
        pulumi.asset.Asset.isInstance(value) ||
        pulumi.asset.Archive.isInstance(value)
    );
}
