import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from "node:crypto";

const iterations = 1_000_000;
const keyBytes = 32;
const tagBytes = 16;
/** Pulumi stores this text encrypted next to the salt, to detect a wrong passphrase. */
const probe = "pulumi";

/** Encrypts as Pulumi's passphrase secrets provider does: AES-256-GCM with a key from PBKDF2 (format `v1`). */
export class PassphraseCrypter {
    /** Pulumi's `encryptionsalt`, and the `salt` of a state. */
    readonly salt: string;
    readonly #key: Buffer;

    private constructor(key: Buffer, salt: string) {
        this.#key = key;
        this.salt = salt;
    }

    static create(passphrase: string): PassphraseCrypter {
        const salt = randomBytes(8);
        const key = deriveKey(passphrase, salt);
        return new PassphraseCrypter(key, `v1:${salt.toString("base64")}:${encrypt(key, probe)}`);
    }

    /** Undefined if the passphrase does not match the salt. */
    static open(passphrase: string, salt: string): PassphraseCrypter | undefined {
        const [, encodedSalt, encryptedProbe] = /^v1:([^:]+):(.+)$/s.exec(salt) ?? [];
        if (encodedSalt === undefined || encryptedProbe === undefined) {
            return undefined;
        }
        const key = deriveKey(passphrase, Buffer.from(encodedSalt, "base64"));
        return decrypt(key, encryptedProbe) === probe ? new PassphraseCrypter(key, salt) : undefined;
    }

    encrypt(text: string): string {
        return encrypt(this.#key, text);
    }

    /** Undefined if the text was not encrypted with this key. */
    decrypt(ciphertext: string): string | undefined {
        return decrypt(this.#key, ciphertext);
    }
}

/** Keys are cached, because a state and its configuration share a salt, and deriving a key takes half a second. */
const derivedKeys = new Map<string, Buffer>();

function deriveKey(passphrase: string, salt: Buffer): Buffer {
    const name = `${salt.toString("base64")} ${passphrase}`;
    const key = derivedKeys.get(name) ?? pbkdf2Sync(passphrase, salt, iterations, keyBytes, "sha256");
    derivedKeys.set(name, key);
    return key;
}

function encrypt(key: Buffer, text: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
}

function decrypt(key: Buffer, ciphertext: string): string | undefined {
    const [version, nonce, sealed, ...rest] = ciphertext.split(":");
    if (version !== "v1" || nonce === undefined || sealed === undefined || rest.length > 0) {
        return undefined;
    }
    try {
        const bytes = Buffer.from(sealed, "base64");
        const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
        decipher.setAuthTag(bytes.subarray(-tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString("utf8");
    } catch {
        return undefined;
    }
}
