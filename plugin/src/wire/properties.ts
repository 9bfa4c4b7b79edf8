import { isUnknownValue, markKey, marks, unknownValue } from "@pulumi-static-export/contract";
import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";

export type Properties = Record<string, unknown>;

/** Plain properties, and the names of the properties that contain a secret at any depth. */
export interface Decoded {
    values: Properties;
    secrets: ReadonlySet<string>;
}

/** Reads properties. Drops `__provider`, which the state of a dynamic resource contains. */
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
            secrets.has(name) ? { [markKey]: marks.secret, value: value as unknown } : (value as unknown),
        ]);
    return Struct.fromJavaScript(Object.fromEntries(entries) as Parameters<typeof Struct.fromJavaScript>[0]);
}

function unwrap(value: unknown, onSecret: () => void): unknown {
    if (isUnknownValue(value)) {
        return unknownValue;
    }
    if (Array.isArray(value)) {
        return value.map((each) => unwrap(each, onSecret));
    }
    if (typeof value !== "object" || value === null) {
        return value;
    }
    const fields = value as Properties;
    if (fields[markKey] === marks.secret) {
        onSecret();
        return unwrap(fields["value"], onSecret);
    }
    if (fields[markKey] === marks.output) {
        if (fields["secret"] === true) {
            onSecret();
        }
        return "value" in fields ? unwrap(fields["value"], onSecret) : unknownValue;
    }
    return Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, unwrap(each, onSecret)]));
}
