/** The prefix of an object in Kubernetes' protobuf. */
const magic = Buffer.from("k8s\0");

/** A Secret from Helm's client, and the fields that the server uses. */
export interface WireSecret {
    /** The whole request, which is also the response for reading the Secret. */
    readonly message: Buffer;
    readonly name: string;
    readonly labels: ReadonlyMap<string, string>;
}

/** Reads `runtime.Unknown { raw: Secret { metadata } }`. */
export function readSecret(message: Buffer): WireSecret {
    const metadata = first(secretOf(message), 1);
    const labels = fields(metadata)
        .filter(({ number }) => number === 11)
        .map(({ bytes }) => [first(bytes, 1).toString(), first(bytes, 2).toString()] as const);
    return { message, name: first(metadata, 1).toString(), labels: new Map(labels) };
}

/** Writes `runtime.Unknown { raw: SecretList { metadata, items } }`. */
export function writeSecretList(secrets: readonly WireSecret[]): Buffer {
    const list = Buffer.concat([
        field(1, Buffer.alloc(0)),
        ...secrets.map(({ message }) => field(2, secretOf(message))),
    ]);
    const type = Buffer.concat([field(1, Buffer.from("v1")), field(2, Buffer.from("SecretList"))]);
    return Buffer.concat([magic, field(1, type), field(2, list)]);
}

function secretOf(message: Buffer): Buffer {
    return first(message.subarray(magic.length), 2);
}

function first(message: Buffer, number: number): Buffer {
    return fields(message).find((each) => each.number === number)?.bytes ?? Buffer.alloc(0);
}

/** Returns the fields with a length, and skips all other fields. */
function fields(message: Buffer): { number: number; bytes: Buffer }[] {
    const found: { number: number; bytes: Buffer }[] = [];
    let at = 0;
    const varint = () => {
        let value = 0;
        for (let scale = 1; ; scale *= 128) {
            const byte = message[at++]!;
            value += (byte & 127) * scale;
            if (byte < 128) {
                return value;
            }
        }
    };
    while (at < message.length) {
        const tag = varint();
        const length = varint();
        if (tag % 8 === 2) {
            found.push({ number: Math.floor(tag / 8), bytes: message.subarray(at, at + length) });
            at += length;
        }
    }
    return found;
}

function field(number: number, bytes: Buffer): Buffer {
    return Buffer.concat([varintOf(number * 8 + 2), varintOf(bytes.length), bytes]);
}

function varintOf(value: number): Buffer {
    const bytes: number[] = [];
    for (let rest = value; ; rest = Math.floor(rest / 128)) {
        if (rest < 128) {
            return Buffer.from([...bytes, rest]);
        }
        bytes.push((rest % 128) + 128);
    }
}
