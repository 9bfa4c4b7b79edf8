import { unknownValue } from "@pulumi-static-export/contract";

export function isUnknown(value: unknown): boolean {
    return value === unknownValue;
}
