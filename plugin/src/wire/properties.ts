import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { unknownValue } from "pulumi-static-export/lifecycles";

/** The marks of Pulumi's wire format: sdk/go/common/resource/properties.go and …/plugin/rpc.go of pulumi/pulumi. */
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
/** Those of other types than string. Lifecycles know only the one of strings. */
const unknownValues: ReadonlySet<unknown> = new Set([
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "030794c1-ac77-496b-92df-f27374a8bd58",
    "e48ece36-62e2-4504-bad9-02848725956a",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

export type Properties = Record<string, unknown>;

/** Properties in clear, and the names of those that hold a secret at any depth. */
export interface Decoded {
    values: Properties;
    secrets: ReadonlySet<string>;
}

/** Reads properties. Drops `__provider`, which a state of the dynamic resource has. */
export function decode(struct: Struct | undefined): Decoded {
    const secrets = new Set<string>();
    const entries = Object.entries((struct?.toJavaScript() ?? {}) as Properties)
        .filter(([name]) => name !== "__provider")
        .map(([name, value]) => [name, unwrap(value, () => secrets.add(name))]);
    return { values: Object.fromEntries(entries) as Properties, secrets };
}

/** Writes properties and marks the named ones as secret. Omits undefined values. */
export function encode(values: object, secrets: ReadonlySet<string>): Struct {
    const entries = Object.entries(values)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [
            name,
            secrets.has(name) ? { [signatureKey]: secretSignature, value: value as unknown } : (value as unknown),
        ]);
    return Struct.fromJavaScript(Object.fromEntries(entries) as Parameters<typeof Struct.fromJavaScript>[0]);
}

function unwrap(value: unknown, onSecret: () => void): unknown {
    if (unknownValues.has(value)) {
        return unknownValue;
    }
    if (Array.isArray(value)) {
        return value.map((each) => unwrap(each, onSecret));
    }
    if (typeof value !== "object" || value === null) {
        return value;
    }
    const fields = value as Properties;
    if (fields[signatureKey] === secretSignature) {
        onSecret();
        return unwrap(fields["value"], onSecret);
    }
    if (fields[signatureKey] === outputSignature) {
        if (fields["secret"] === true) {
            onSecret();
        }
        return "value" in fields ? unwrap(fields["value"], onSecret) : unknownValue;
    }
    return Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, unwrap(each, onSecret)]));
}
