import { type CopyReplacer } from "./copies/copy-replacer.js";
import { HiddenAssetError, hide, hiddenLeaves, memberOf, textAsset } from "./secrets/hidden-values.js";
import { type KnownSecrets, plainTwinOf } from "./secrets/known-secrets.js";
import { markKey, marks } from "@pulumi-static-export/contract";
import { isSecret, joinPath, type JsonObject, mapMembers, markOf } from "./pulumi/marked-values.js";
import { type OpaqueSecrets, type SecretPlace } from "./secrets/opaque-secrets.js";
import { type PassphraseCrypter } from "./pulumi/passphrase-crypter.js";
import { type Placeholders } from "./placeholders/placeholders.js";
import { type SecretReader } from "./pulumi/secret-reader.js";
import { isExpiry, nameOf, type StackResource } from "./pulumi/stack-resource.js";
import { memberNames, withKind } from "./secrets/unmarked-secrets.js";

export interface RedactionTools {
    readonly reader: SecretReader;
    readonly known: KnownSecrets;
    readonly copies: CopyReplacer;
    readonly opaque: OpaqueSecrets;
    readonly placeholders: Placeholders;
    readonly crypter: PassphraseCrypter;
}

/** The findings of a deployment's redaction, without any secret. */
export interface RedactionNotes {
    /** Properties for which the program might compute a different placeholder. */
    readonly doubts: Set<string>;
    /** Properties that look like secrets but are not marked, and the kind of secret. */
    readonly unmarked: Set<string>;
    /** Properties with text that cannot be searched for secrets, and the reason. */
    readonly unread: Set<string>;
    /** Why the state cannot be redacted. */
    readonly refusals: Set<string>;
}

interface Place extends SecretPlace {
    /** The value at the same place in the inputs; only plain text counts. */
    readonly twin: unknown;
    /** The name that helps to recognise an unmarked secret. */
    readonly name: string;
    /** Whether the value is in a Secret of Kubernetes. */
    readonly isSecret: boolean;
}

/** Redacts the inputs and outputs of resources. */
export class PropertyRedaction {
    readonly notes: RedactionNotes = {
        doubts: new Set(),
        unmarked: new Set(),
        unread: new Set(),
        refusals: new Set(),
    };
    /** The JSON strings that were encrypted, for the final check. */
    readonly encrypted: string[] = [];

    constructor(private readonly tools: RedactionTools) {}

    section(resource: StackResource, section: "inputs" | "outputs", properties: JsonObject): JsonObject {
        const names = memberNames(withKind(resource, properties), "", false);
        return mapMembers(properties, (value, key) => {
            if (key === "__provider") {
                return this.#provider(resource, value);
            }
            const twin = section === "outputs" ? plainTwinOf(resource, key) : undefined;
            const isSecret = names.some((each) => each.key === key && each.isSecret);
            return this.value(value, { ...placeAt(resource, key), section, twin, isSecret });
        }) as JsonObject;
    }

    /** Returns the code of a dynamic provider unchanged, because a preview runs the code. */
    #provider(resource: StackResource, value: unknown): unknown {
        if (isSecret(value)) {
            this.refuse(
                resource,
                "__provider, the provider's code, is a secret: a preview runs the code, so it cannot be replaced",
            );
        }
        return value;
    }

    /** Redacts any other named value of a resource. */
    value(value: unknown, place: Place): unknown {
        if (isSecret(value)) {
            return this.#secret(value, place);
        }
        if (place.section === "outputs" && isExpiry(place.resource, place.path.join("."))) {
            return value;
        }
        if (typeof value !== "object" || value === null) {
            return this.#scalar(value, place);
        }
        const mark = markOf(value);
        if (mark === marks.float) {
            return value;
        }
        const members = memberNames(value, place.name, place.isSecret);
        if (Array.isArray(value)) {
            return members.map((each) => this.value(each.member, memberPlace(place, each)));
        }
        const redacted: JsonObject = Object.fromEntries(
            members.map((each) => {
                const { key, member } = each;
                const inner = memberPlace(place, each);
                if (key === markKey || (mark !== undefined && key === "hash")) {
                    return [key, member];
                }
                return [this.#key(key, place), this.value(member, inner)];
            }),
        );
        return mark === marks.asset || mark === marks.archive ? this.#asset(value, redacted, place) : redacted;
    }

    /**
     * Computes the digest of a redacted text asset from its text; the digest of an archive would need all of its files.
     */
    #asset(original: object, redacted: JsonObject, place: Place): unknown {
        if (JSON.stringify(original) === JSON.stringify(redacted)) {
            return original;
        }
        this.#doubt(place);
        return typeof redacted["text"] === "string" ? textAsset(redacted, redacted["text"]) : redacted;
    }

    #secret(marker: JsonObject, place: Place): unknown {
        const json = JSON.stringify(this.#hide(marker, place) ?? null);
        this.encrypted.push(json);
        return { [markKey]: marks.secret, ciphertext: this.tools.crypter.encrypt(json) };
    }

    #hide(marker: JsonObject, place: Place): unknown {
        const { reader, placeholders, opaque } = this.tools;
        const { resource, section, path, twin } = place;
        const read = reader.read(marker);
        if (!("json" in read)) {
            if (section === "outputs" && path.join() === "__inputs") {
                return this.#copyOfInputs(resource);
            }
            const placeholder = opaque.placeholderAt(place, read.plaintextBytes);
            if (placeholder === undefined) {
                this.refuse(
                    resource,
                    `${pathOf(place)} is encrypted, and its format is not known. Set PULUMI_CONFIG_PASSPHRASE to the ` +
                        "stack's passphrase, or pass the output of pulumi stack export --show-secrets",
                );
            }
            return placeholder;
        }
        if (section === "outputs" && isExpiry(resource, path.join("."))) {
            return read.json;
        }
        const clearTwin = isSecret(twin) ? undefined : twin;
        if (
            section === "inputs" &&
            [...hiddenLeaves(read.json, clearTwin)].some((leaf) => !this.tools.known.isExplained(leaf))
        ) {
            this.#doubt(place);
        }
        try {
            const clearText = (text: string, name: string) =>
                this.#clearText(text, { ...place, path: [...path, name], name });
            return hide(read.json, clearTwin, path.at(-1) ?? "", { placeholders, clearText });
        } catch (error) {
            if (error instanceof HiddenAssetError) {
                this.refuse(resource, `${pathOf(place)} is a secret file: a placeholder would have a different digest`);
                return null;
            }
            throw error;
        }
    }

    /** The copy of the inputs that providers keep in the outputs, rebuilt from the redacted inputs. */
    #copyOfInputs(resource: StackResource): unknown {
        const copy = (value: unknown, place: Place): unknown => {
            if (isSecret(value)) {
                return { [markKey]: marks.secret, ciphertext: JSON.stringify(this.#hide(value, place) ?? null) };
            }
            return typeof value !== "object" || value === null ? this.#scalar(value, place) : copyMembers(value, place);
        };
        const copyMembers = (value: object, place: Place): unknown => {
            const names = memberNames(value, place.name, place.isSecret);
            return mapMembers(value, (member, key) => {
                const each = names.find((other) => other.key === key);
                return each === undefined ? member : copy(member, memberPlace(place, each));
            });
        };
        return copy(resource.inputs ?? {}, { ...placeAt(resource, ""), path: [] });
    }

    #scalar(value: unknown, place: Place): unknown {
        if (typeof value === "string") {
            return this.#clearText(value, place);
        }
        if (typeof value !== "number" && typeof value !== "boolean") {
            return value;
        }
        if (typeof value === "boolean") {
            return this.#copy(String(value), place) === "true";
        }
        const text = this.#clearText(String(value), place);
        return Number.isNaN(Number(text)) ? text : Number(text);
    }

    /** Replaces strings that should have been marked as secrets, and copies of secrets that are marked elsewhere. */
    #clearText(text: string, place: Place): string {
        const { known, copies, placeholders } = this.tools;
        let isWhole = false;
        const replace = (secret: string, kind: string) => {
            this.notes.unmarked.add(`${this.#nameOf(place)} (${kind})`);
            if (place.section === "inputs" && !known.isExplained(secret)) {
                this.#doubt(place);
            }
            isWhole = secret === text;
            return placeholders.text(secret);
        };
        const onUnreadable = (reason: string) => this.notes.unread.add(`${this.#nameOf(place)} (${reason})`);
        const replaced = known.replaceUnmarked({ ...place, text }, { replace, onUnreadable });
        if (isWhole) {
            return replaced;
        }
        if (place.section === "inputs" && copies.secretsIn(text).some((secret) => !known.isExplained(secret))) {
            this.#doubt(place);
        }
        return this.#copy(replaced, place);
    }

    /** Messages name the map, because the key would reveal the secret. */
    #key(key: string, place: Place): string {
        return this.tools.copies.replace(key, () => `${nameOf(place.resource)}: a key in ${pathOf(place)}`);
    }

    #copy(text: string, place: Place): string {
        return this.tools.copies.replace(text, () => `${nameOf(place.resource)}: ${pathOf(place)}`);
    }

    #doubt(place: Place): void {
        this.notes.doubts.add(this.#nameOf(place));
    }

    refuse(resource: StackResource, reason: string): void {
        this.notes.refusals.add(this.tools.copies.replace(`${nameOf(resource)}: ${reason}`));
    }

    #nameOf(place: SecretPlace): string {
        return this.tools.copies.replace(`${nameOf(place.resource)}: ${pathOf(place)}`);
    }
}

/** The place of a property. */
export function placeAt(resource: StackResource, key: string): Place {
    return { resource, section: "inputs", path: [key], twin: undefined, name: key, isSecret: false };
}

function memberPlace(place: Place, { key, ...rest }: { key: string; name: string; isSecret: boolean }): Place {
    const { name, isSecret } = rest;
    return { ...place, path: [...place.path, key], twin: memberOf(place.twin, key), name, isSecret };
}

function pathOf({ path }: SecretPlace): string {
    return path.filter((key) => key !== "__inputs").reduce(joinPath, "");
}
