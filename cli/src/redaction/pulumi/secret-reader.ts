import { isRecord } from "@pulumi-static-export/contract";
import { UsageError } from "../../command-line/usage-error.js";
import { type SecretMarker } from "./marked-values.js";
import { PassphraseCrypter } from "./passphrase-crypter.js";

/** A decrypted secret, or its length if only the ciphertext is known. */
type ReadSecret = { json: unknown } | { plaintextBytes: number };

/** The supported secrets providers. */
const knownProviders = ["passphrase", "service", "cloud"];

/** Reads the secrets of one state, or of one stack configuration. */
export class SecretReader {
    readonly #crypter: PassphraseCrypter | undefined;
    readonly #read = new Map<string, string>();

    constructor(crypter: PassphraseCrypter | undefined) {
        this.#crypter = crypter;
    }

    /**
     * Creates a reader for the state's secrets provider. Without the passphrase, or if the key is stored elsewhere,
     * only plain-text secrets can be read (`pulumi stack export --show-secrets`).
     *
     * @throws UsageError for a wrong passphrase and for unknown providers
     */
    static forProvider(provider: unknown, passphrase: string | undefined): SecretReader {
        const { type, state } = isRecord(provider) ? provider : { type: undefined, state: undefined };
        if (type !== undefined && (typeof type !== "string" || !knownProviders.includes(type))) {
            throw new UsageError(
                `The state's secrets provider ${JSON.stringify(type)} is unknown to this command, which knows ` +
                    `${knownProviders.join(", ")}. Move the stack to one of these with pulumi stack change-secrets-provider.`,
            );
        }
        const salt = isRecord(state) ? state["salt"] : undefined;
        return new SecretReader(type === "passphrase" ? openWith(passphrase, salt) : undefined);
    }

    static forSalt(salt: unknown, passphrase: string | undefined): SecretReader {
        return new SecretReader(openWith(passphrase, salt));
    }

    read({ plaintext, ciphertext }: SecretMarker): ReadSecret {
        const text = plaintext ?? (ciphertext === undefined ? undefined : this.decrypt(ciphertext));
        return text === undefined ? { plaintextBytes: plaintextBytes(ciphertext ?? "") } : { json: JSON.parse(text) };
    }

    /**
     * Undefined if only the ciphertext is known.
     * @throws UsageError for a ciphertext that should be readable but is not
     */
    decrypt(ciphertext: string): string | undefined {
        if (this.#crypter === undefined) {
            return undefined;
        }
        const text = this.#read.get(ciphertext) ?? this.#crypter.decrypt(ciphertext);
        if (text === undefined) {
            throw new UsageError(
                "A secret cannot be decrypted, although the passphrase is right: the secret may be damaged.",
            );
        }
        this.#read.set(ciphertext, text);
        return text;
    }
}

/**
 * Returns the length of the plain text. Every provider that encrypts by itself uses AES-GCM, which preserves the length
 * and adds a tag of 16 bytes.
 */
export function plaintextBytes(ciphertext: string): number {
    return Buffer.from(ciphertext.split(":").at(-1) ?? "", "base64").length - 16;
}

function openWith(passphrase: string | undefined, salt: unknown): PassphraseCrypter | undefined {
    if (passphrase === undefined || typeof salt !== "string") {
        return undefined;
    }
    const crypter = PassphraseCrypter.open(passphrase, salt);
    if (crypter === undefined) {
        throw new UsageError(
            "PULUMI_CONFIG_PASSPHRASE is not the passphrase of this stack. Correct the variable, or unset it.",
        );
    }
    return crypter;
}
