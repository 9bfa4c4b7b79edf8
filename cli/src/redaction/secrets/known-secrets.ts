import { isRecord } from "@pulumi-static-export/contract";
import { hiddenLeaves } from "./hidden-values.js";
import { holdsSecret, isSecret, joinPath, type JsonObject } from "../pulumi/marked-values.js";
import { type SecretReader } from "../pulumi/secret-reader.js";
import { decodeBase64Text } from "../placeholders/shapes.js";
import { isExpiry, nameOf, type StackResource } from "../pulumi/stack-resource.js";
import { replaceSecrets, type SecretHandling, type TextToSearch } from "../text/text-secrets.js";
import { CopyFinder } from "../copies/copy-finder.js";
import { isDistinctive } from "../copies/is-distinctive.js";
import { jsonLeaves, secretParts } from "./secret-parts.js";
import { plainTexts, withKind } from "./unmarked-secrets.js";

/** All decrypted secrets of a stack, and their origin. */
export class KnownSecrets {
    /** The place where each secret is marked first, by the secret. */
    readonly #places = new Map<string, string>();
    /**
     * Secrets that a program reads from the stack's configuration or from another resource instead of computing them.
     */
    readonly #sources = new Set<string>();
    /** Values on which a preview's decisions depend. These values are not secret, even if a program marks them. */
    readonly #public = new Set<string>();

    #marked = new CopyFinder([]);
    /** Caches texts without secrets, because states repeat many texts. */
    readonly #clean = new Set<string>();

    /** @param isMarked - whether the value is declared as a secret, instead of only looking like one */
    addConfigured(text: string, setting: string, isMarked: boolean): void {
        for (const leaf of [text, ...jsonLeaves(text)]) {
            this.#sources.add(leaf);
        }
        this.#add(text, setting, isMarked);
    }

    addResource(resource: StackResource, reader: SecretReader): void {
        const { inputs = {}, outputs = {}, replacementTrigger } = resource;
        const given = new Set([...this.#collect(resource, "inputs", inputs, reader)]);
        for (const [output, value] of Object.entries(outputs)) {
            if (isExpiry(resource, output)) {
                const read = isSecret(value) ? reader.read(value) : { json: value };
                this.#public.add("json" in read ? String(read.json) : "");
                continue;
            }
            for (const leaf of this.#collect(resource, "outputs", { [output]: value }, reader)) {
                const isInput = given.has(leaf) || [...hiddenLeaves(inputs[output], undefined)].includes(leaf);
                if (!isInput && output !== "__inputs") {
                    this.#sources.add(leaf);
                }
            }
        }
        for (const leaf of leavesBelow(replacementTrigger, undefined, reader)) {
            this.#add(leaf, `${nameOf(resource)}: replacementTrigger`, true);
        }
    }

    /** Adds strings that look like secrets. Call this method after all marked secrets were added. */
    addUnmarked(resources: readonly StackResource[]): void {
        this.#marked = new CopyFinder([...this.#places.keys()].filter(isDistinctive));
        for (const resource of resources) {
            const { inputs = {}, outputs = {} } = resource;
            for (const properties of [inputs, outputs]) {
                for (const each of plainTexts(withKind(resource, properties))) {
                    const place = `${nameOf(resource)}: ${each.path.reduce(joinPath, "")}`;
                    const replace = (secret: string) => {
                        this.#add(secret, place, false);
                        return "";
                    };
                    this.replaceUnmarked(each, { replace });
                }
            }
        }
    }

    /** Replaces everything in a plain text that looks like a secret, except the marked secrets. */
    replaceUnmarked(searched: TextToSearch, handling: Omit<SecretHandling, "withoutKnown">): string {
        const key = JSON.stringify([searched.name, searched.isSecret, searched.text]);
        if (this.#clean.has(key)) {
            return searched.text;
        }
        let isClean = true;
        const note = <Args extends unknown[], Result>(act: (...args: Args) => Result) => {
            return (...args: Args) => {
                isClean = false;
                return act(...args);
            };
        };
        const replaced = replaceSecrets(searched, {
            withoutKnown: (text) => this.#marked.replace(text, () => ""),
            replace: note(handling.replace),
            onUnreadable: note((reason: string) => handling.onUnreadable?.(reason)),
        });
        if (isClean) {
            this.#clean.add(key);
        }
        return replaced;
    }

    /** The place of each secret, by the secret. */
    get places(): ReadonlyMap<string, string> {
        return new Map([...this.#places].filter(([secret]) => !this.#public.has(secret)));
    }

    has(text: string): boolean {
        return this.#places.has(text);
    }

    /**
     * Whether a preview computes this secret's placeholder by itself, from the placeholder of the value that the secret
     * equals or encodes.
     */
    isExplained(leaf: string): boolean {
        const decoded = decodeBase64Text(leaf);
        return (
            this.#sources.has(leaf) ||
            /^(true|false)$/i.test(leaf) ||
            (decoded !== undefined && this.#sources.has(decoded)) ||
            // Structured text, such as a generated kubeconfig, is checked by its parts.
            jsonLeaves(leaf).some((part) => this.#sources.has(part))
        );
    }

    *#collect(
        resource: StackResource,
        section: "inputs" | "outputs",
        properties: JsonObject,
        reader: SecretReader,
    ): Generator<string> {
        for (const [key, value] of Object.entries(properties)) {
            const place = `${nameOf(resource)}: ${joinPath("", key)}`;
            const isDeclared = resource.additionalSecretOutputs?.includes(key) === true && key !== "__provider";
            const twin = section === "outputs" ? plainTwinOf(resource, key) : undefined;
            const leaves = isDeclared && !holdsSecret(value) ? hiddenLeaves(value, undefined) : [];
            for (const leaf of [...leaves, ...leavesBelow(value, twin, reader)]) {
                this.#add(leaf, place, true);
                yield leaf;
            }
        }
    }

    #add(text: string, place: string, isMarked: boolean): void {
        for (const part of secretParts(text)) {
            if ((isMarked || isDistinctive(part)) && !this.#places.has(part)) {
                this.#places.set(part, place);
            }
        }
    }
}

/**
 * The inputs with which to compare a secret output. A provider copies all inputs into one secret, and makes a whole
 * list secret if one of its items is. Therefore, values that are plain in the inputs are not secret in the output
 * either. An output that the program or the provider declared as secret is secret, even if its input is plain.
 */
export function plainTwinOf({ inputs, additionalSecretOutputs }: StackResource, output: string): unknown {
    if (output === "__inputs") {
        return inputs;
    }
    const input = inputs?.[output];
    return holdsSecret(input) && additionalSecretOutputs?.includes(output) !== true ? input : undefined;
}

function* leavesBelow(value: unknown, twin: unknown, reader: SecretReader): Generator<string> {
    if (isSecret(value)) {
        const read = reader.read(value);
        if ("json" in read) {
            yield* hiddenLeaves(read.json, isSecret(twin) ? undefined : twin);
        }
    } else if (typeof value === "object" && value !== null) {
        for (const [key, member] of Object.entries(value)) {
            yield* leavesBelow(member, isRecord(twin) || Array.isArray(twin) ? twin[key as never] : undefined, reader);
        }
    }
}
