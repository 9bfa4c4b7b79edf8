import { PassphraseCrypter } from "../../../../cli/src/redaction/pulumi/passphrase-crypter.js";
import { redactStack, type RedactedStack, type StackToRedact } from "../../../../cli/src/redaction/redact-stack.js";

const markKey = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

/** All specs of a file share these two keys, because Pulumi's key derivation takes half a second. */
export const stackCrypter = PassphraseCrypter.create("of the stack");
export const redactedCrypter = PassphraseCrypter.create("redacted");

/** Returns a secret as `pulumi stack export --show-secrets` writes it. */
export function secret(value: unknown): object {
    return { [markKey]: secretMark, plaintext: JSON.stringify(value) };
}

/** Returns a secret as `pulumi stack export` writes it. */
export function encrypted(value: unknown): { ciphertext: string } {
    return { [markKey]: secretMark, ciphertext: stackCrypter.encrypt(JSON.stringify(value)) } as never;
}

/** Returns a secret for use inside another secret: Pulumi marks the inner secret but does not encrypt it. */
export function nested(value: unknown): object {
    return { [markKey]: secretMark, ciphertext: JSON.stringify(value) };
}

export function marked(mark: string, fields: object): object {
    return { [markKey]: mark, ...fields };
}

export const types = {
    bundle: "pulumi-nodejs:dynamic/static-export:StaticExportBundle",
    mirror: "pulumi-nodejs:dynamic/static-export:BundleMirror",
    release: "kubernetes:helm.sh/v3:Release",
    provider: "pulumi:providers:pulumi-nodejs",
    stack: "pulumi:pulumi:Stack",
} as const;

export function urnOf(type: keyof typeof types, name: string): string {
    return `urn:pulumi:dev::docs::${types[type]}::${name}`;
}

export function resource(type: keyof typeof types, name: string, fields: object): Record<string, unknown> {
    return { urn: urnOf(type, name), type: types[type], custom: type !== "stack", ...fields };
}

export function stateOf(resources: object[], fields: object = {}): StackToRedact["state"] {
    return { version: 3, deployment: { manifest: { version: "3.259.0" }, resources, ...fields } };
}

export const passphraseProvider = {
    secrets_providers: { type: "passphrase", state: { salt: stackCrypter.salt } },
};

export interface Redacted extends RedactedStack {
    /** The resources, with the placeholders decrypted. */
    resources: Record<string, Record<string, never>>[];
}

export function redact(state: StackToRedact["state"], options: Partial<Omit<StackToRedact, "state">> = {}): Redacted {
    const redacted = redactStack({ state, passphrase: undefined, ...options }, redactedCrypter);
    return { ...redacted, resources: reveal(redacted.state.deployment["resources"]) as Redacted["resources"] };
}

/** Decrypts all placeholders. @throws Error if a placeholder is not encrypted with the temporary passphrase */
export function reveal(value: unknown, decrypt = decryptPlaceholder): unknown {
    if (typeof value !== "object" || value === null) {
        return value;
    }
    if (Array.isArray(value)) {
        return value.map((member) => reveal(member, decrypt));
    }
    const { [markKey]: mark, ciphertext } = value as Record<string, string>;
    if (mark === secretMark) {
        // Inside a secret, nothing is encrypted a second time.
        return reveal(JSON.parse(decrypt(ciphertext ?? "")), (text) => text);
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, reveal(member, decrypt)]));
}

function decryptPlaceholder(ciphertext: string): string {
    const text = redactedCrypter.decrypt(ciphertext);
    if (text === undefined) {
        throw new Error("a secret is not encrypted with the throw-away passphrase");
    }
    return text;
}
