import { type Document, isMap, isPair, isScalar, parseDocument, Scalar, visit, type YAMLMap } from "yaml";
import { UsageError } from "../../command-line/usage-error.js";
import { replaceSecrets, type SecretHandling } from "../text/text-secrets.js";

/** A secret in a stack's configuration file. */
export interface SecureValue {
    /** The secret's key, such as `static-export:adminApiKey`, and the path to the secret inside a structured value. */
    readonly path: readonly string[];
    readonly ciphertext: string;
    readonly replace: (ciphertext: string) => void;
}

/** A plain value, which may look like a key, a link or another secret. */
interface PlainValue {
    readonly path: readonly string[];
    readonly text: string;
    readonly replace: (text: string) => void;
}

/** A plain value that is a secret, or contains secrets. */
interface SensitiveValue extends PlainValue {
    readonly secrets: readonly string[];
    /** The text with other secrets. */
    readonly withSecrets: (replace: (secret: string) => string) => string;
}

/** A file `Pulumi.<stack>.yaml`. Writing preserves comments and order. */
export class StackConfiguration {
    readonly secureValues: readonly SecureValue[];
    readonly sensitiveValues: readonly SensitiveValue[];
    /** All other values. */
    readonly plainValues: readonly PlainValue[];
    readonly #document: Document.Parsed;

    /** @throws UsageError for other files, and for a file that imports an environment of Pulumi Cloud */
    constructor(text: string) {
        // Reads every value as a string, so that numbers such as 0x1F or a long identifier are written unchanged.
        this.#document = parseDocument(text, { schema: "failsafe" });
        const { errors, contents } = this.#document;
        if (errors.length > 0 || (contents !== null && !isMap(contents))) {
            throw new UsageError("The stack's configuration is not a YAML file with settings.");
        }
        if (this.#document.has("environment")) {
            throw new UsageError(
                "The stack's configuration imports an environment of Pulumi Cloud, which a preview without secrets " +
                    "cannot open: environment. Set the values that the program needs in the stack's configuration.",
            );
        }
        const config = this.#document.get("config", true);
        const scalars = isMap(config) ? scalarsOf(config) : [];
        this.secureValues = scalars
            .filter(({ path }) => path.length > 1 && path.at(-1) === "secure")
            .map(({ path, text: ciphertext, replace }) => ({ path: path.slice(0, -1), ciphertext, replace }));
        const plain = scalars.filter(({ path }) => path.at(-1) !== "secure").map(withSecretsOf);
        this.sensitiveValues = plain.filter(({ secrets }) => secrets.length > 0);
        this.plainValues = plain.filter(({ secrets }) => secrets.length === 0);
    }

    get salt(): unknown {
        return this.#document.get("encryptionsalt");
    }

    /** The text of the file, with the salt of the passphrase that decrypts its secrets. */
    write(salt: string): string {
        if (this.#document.contents === null) {
            return `encryptionsalt: ${salt}\n`;
        }
        // A file in JSON must not get a key without quotes.
        const isJson = isMap(this.#document.contents) && this.#document.contents.flow === true;
        this.#document.delete("secretsprovider");
        this.#document.delete("encryptedkey");
        this.#document.set("encryptionsalt", isJson ? quoted(salt) : salt);
        return this.#document.toString({ lineWidth: 0, ...(isJson ? { defaultKeyType: "QUOTE_DOUBLE" } : {}) });
    }
}

function quoted(text: string): Scalar {
    const scalar = new Scalar(text);
    scalar.type = "QUOTE_DOUBLE";
    return scalar;
}

function withSecretsOf(value: PlainValue): SensitiveValue {
    const name = value.path.at(-1) ?? "";
    const withSecrets = (replace: SecretHandling["replace"]) =>
        /^(true|false)$/.test(value.text)
            ? value.text
            : replaceSecrets({ name, text: value.text }, { withoutKnown: (text) => text, replace });
    const secrets: string[] = [];
    withSecrets((secret) => {
        secrets.push(secret);
        return "";
    });
    return { ...value, secrets, withSecrets };
}

/** All strings in the configuration, each with its path. */
function scalarsOf(map: YAMLMap): PlainValue[] {
    const found: PlainValue[] = [];
    visit(map, {
        Scalar(key, node, ancestors) {
            const { value } = node;
            if (key === "key" || typeof value !== "string") {
                return;
            }
            const path = ancestors.flatMap((each, depth) => {
                const child = ancestors[depth + 1] ?? node;
                if (isPair(each)) {
                    return [String(isScalar(each.key) ? each.key.value : each.key)];
                }
                return "items" in each && !isMap(each) ? [String(each.items.indexOf(child))] : [];
            });
            found.push({ path, text: value, replace: (text) => replaceText(node, text) });
        },
    });
    return found;
}

function replaceText(node: Scalar, text: string): void {
    const isNumber = [node.value, text].every((each) => /^-?\d+(\.\d+)?$/.test(String(each)));
    node.value = text;
    if (!isNumber || node.type !== "PLAIN") {
        node.type = "QUOTE_DOUBLE";
    }
}
