/**
 * The placeholder that check and diff receive during a preview for every unknown input, whatever its type.
 * Source: `unknownValue` in pulumi's sdk/nodejs/runtime/rpc.ts.
 */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function isUnknown(value: unknown): boolean {
    return value === unknownValue;
}
