import { hiddenLeaves } from "./hidden-values.js";
import { isSecret, type JsonObject } from "./pulumi/marked-values.js";
import { type SecretReader } from "./pulumi/secret-reader.js";
import { decodeBase64Text } from "./placeholders/shapes.js";
import { isTelling } from "./placeholders/sensitive-text.js";
import { isExpiry, type StackResource } from "./pulumi/stack-resource.js";

/** All secrets of a stack that could be decrypted, and where they come from. */
export class KnownSecrets {
    readonly #all = new Set<string>();
    /** Secrets that a program takes from the stack's configuration or from another resource, not computed by itself. */
    readonly #sources = new Set<string>();
    #telling: readonly string[] | undefined;

    addConfigured(text: string): void {
        for (const leaf of [text, ...jsonLeaves(text)]) {
            this.#all.add(leaf);
            this.#sources.add(leaf);
        }
    }

    addResource(resource: StackResource, reader: SecretReader): void {
        const { inputs = {}, outputs = {} } = resource;
        const given = new Set(secretLeaves(inputs, inputs, reader));
        const { __inputs: copy, ...others } = outputs;
        const made = Object.fromEntries(Object.entries(others).filter(([output]) => !isExpiry(resource, output)));
        for (const leaf of secretLeaves(made, inputs, reader)) {
            this.#all.add(leaf);
            if (!given.has(leaf)) {
                this.#sources.add(leaf);
            }
        }
        for (const leaf of [...given, ...secretLeaves({ copy }, { copy: inputs }, reader)]) {
            this.#all.add(leaf);
        }
    }

    /**
     * Whether a preview computes the placeholder of this secret by itself, because it has the placeholder of the value
     * that the secret equals or encodes.
     */
    isExplained(leaf: string): boolean {
        const decoded = decodeBase64Text(leaf);
        return (
            this.#sources.has(leaf) ||
            /^(true|false)$/i.test(leaf) ||
            (decoded !== undefined && this.#sources.has(decoded)) ||
            // Structured text, such as a generated kubeconfig: by its parts.
            jsonLeaves(leaf).some((part) => this.#sources.has(part))
        );
    }

    /** The secrets that cannot occur in other texts by chance, and their encodings; longest first. */
    get telling(): readonly string[] {
        this.#telling ??= [...this.#all]
            .filter(isTelling)
            .flatMap((secret) => [...new Set([secret, Buffer.from(secret).toString("base64"), escapedByGo(secret)])])
            .sort((one, other) => other.length - one.length);
        return this.#telling;
    }

    /** Whether a JSON text contains such a secret anywhere. */
    occursIn(json: string): boolean {
        return this.telling.some((secret) => json.includes(JSON.stringify(secret).slice(1, -1)));
    }
}

/** The JSON encoding of Pulumi and Kubernetes, without the quotes. */
function escapedByGo(text: string): string {
    const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return JSON.stringify(text)
        .slice(1, -1)
        .replace(/[&<>\u2028\u2029]/g, escape);
}

/** The leaves of the secrets among some properties. */
function* secretLeaves(properties: JsonObject, twins: JsonObject, reader: SecretReader): Generator<string> {
    for (const [key, value] of Object.entries(properties)) {
        yield* leavesBelow(value, twins[key], reader);
    }
}

function* leavesBelow(value: unknown, twin: unknown, reader: SecretReader): Generator<string> {
    if (isSecret(value)) {
        const read = reader.read(value);
        if ("json" in read) {
            yield* hiddenLeaves(read.json, isSecret(twin) ? undefined : twin);
        }
    } else if (typeof value === "object" && value !== null) {
        for (const [key, member] of Object.entries(value)) {
            yield* leavesBelow(member, (twin as Record<string, unknown> | undefined)?.[key], reader);
        }
    }
}

function jsonLeaves(text: string): string[] {
    if (!/^\s*[[{]/.test(text)) {
        return [];
    }
    try {
        return [...hiddenLeaves(JSON.parse(text), undefined)];
    } catch {
        return [];
    }
}
