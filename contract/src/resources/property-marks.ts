/** How states, logs and requests mark values that JSON cannot express (Pulumi's `sdk/go/common/resource/sig`). */
export const markKey = "4dabf18193072939515e22adb298388d";

export const marks = {
    secret: "1b47061264138c4ac30d75fd1eb44270",
    output: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
    resource: "5cf8f73096256a8f31e491e813e4eb8e",
    bytes: "803fd3297a5875dc03ca845dda5d2a98",
    float: "8ad145fe-0d11-4827-bfd7-1abcbf086f5c",
    asset: "c44067f5952c0a294b673a41bacd8c17",
    archive: "0def7320c3a5731c473e5ecbe6d01bc7",
} as const;

/**
 * The placeholder that dynamic providers receive during a preview for every unknown input of any type. Source:
 * `unknownValue` in pulumi's sdk/nodejs/runtime/rpc.ts.
 */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine's placeholders for unknown values, by type. Source: sdk/go/common/resource/plugin/rpc.go. */
const unknownValues: ReadonlySet<unknown> = new Set([
    unknownValue,
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "030794c1-ac77-496b-92df-f27374a8bd58",
    "e48ece36-62e2-4504-bad9-02848725956a",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Whether a value is a placeholder for an unknown value. */
export function isUnknownValue(value: unknown): boolean {
    return unknownValues.has(value);
}
