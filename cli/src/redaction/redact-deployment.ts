import { UsageError } from "../command-line/usage-error.js";
import { HiddenAssetError, hide, hiddenLeaves } from "./hidden-values.js";
import { type KnownSecrets } from "./known-secrets.js";
import {
    isObject,
    isSecret,
    joinPath,
    type JsonObject,
    mapMembers,
    markKey,
    markOf,
    marks,
} from "./pulumi/marked-values.js";
import { type OpaqueSecrets, type SecretPlace } from "./opaque-secrets.js";
import { type PassphraseCrypter } from "./pulumi/passphrase-crypter.js";
import { type Placeholders } from "./placeholders/placeholders.js";
import { type SecretReader } from "./pulumi/secret-reader.js";
import { describeSensitive } from "./placeholders/sensitive-text.js";
import { isExpiry, nameOf, type StackResource } from "./pulumi/stack-resource.js";

export interface RedactionTools {
    readonly reader: SecretReader;
    readonly known: KnownSecrets;
    readonly opaque: OpaqueSecrets;
    readonly placeholders: Placeholders;
    readonly crypter: PassphraseCrypter;
}

export interface RedactedDeployment {
    deployment: JsonObject;
    /** Properties for which the program may not compute the same placeholder. */
    doubts: string[];
}

interface Place extends SecretPlace {
    /** The value at the same place of the inputs; only plain text counts. */
    readonly twin: unknown;
}

/** @throws UsageError that names everything that cannot be redacted */
export function redactDeployment(deployment: JsonObject, tools: RedactionTools): RedactedDeployment {
    const redaction = new DeploymentRedaction(tools);
    return { deployment: redaction.redact(deployment), doubts: redaction.doubts };
}

class DeploymentRedaction {
    readonly doubts: string[] = [];
    readonly #refusals = new Set<string>();
    /** The encrypted values, for the final check. */
    #hidden: string[] = [];

    constructor(private readonly tools: RedactionTools) {}

    redact(deployment: JsonObject): JsonObject {
        const {
            resources = [],
            pending_operations: operations,
            secrets_providers: _,
            metadata: __,
            ...rest
        } = deployment;
        const redacted: JsonObject = {
            ...rest,
            secrets_providers: { type: "passphrase", state: { salt: this.tools.crypter.salt } },
            resources: (resources as StackResource[]).map((resource) => this.#resource(resource)),
        };
        if (Array.isArray(operations)) {
            redacted["pending_operations"] = operations.map((operation: { resource: StackResource }) => ({
                ...operation,
                resource: this.#resource(operation.resource),
            }));
        }
        if (this.tools.known.occursIn(JSON.stringify(rest))) {
            this.#refusals.add("the state holds a secret outside its resources");
        }
        if (this.#refusals.size > 0) {
            const list = [...this.#refusals].map((each) => `\n  - ${each}`).join("");
            throw new UsageError(`This state cannot be redacted:${list}`);
        }
        return redacted;
    }

    #resource(resource: StackResource): StackResource {
        this.#hidden = [];
        const redacted: StackResource = { ...resource };
        for (const section of ["inputs", "outputs"] as const) {
            if (resource[section] !== undefined) {
                redacted[section] = this.#section(resource, section, resource[section]);
            }
        }
        if (resource["replacementTrigger"] !== undefined) {
            const place: Place = { resource, section: "inputs", path: ["replacementTrigger"], twin: undefined };
            redacted["replacementTrigger"] = this.#value(resource["replacementTrigger"], place);
        }
        if (resource.initErrors !== undefined) {
            // Whether there are any matters; their content does not.
            redacted.initErrors = resource.initErrors.map(() => "redacted");
        }
        for (const [field, value] of Object.entries(redacted)) {
            this.#refuseLeftovers(resource, field, JSON.stringify(value));
        }
        this.#hidden.forEach((json) => this.#refuseLeftovers(resource, "secrets", json));
        return redacted;
    }

    #refuseLeftovers(resource: StackResource, field: string, json: string): void {
        if (this.tools.known.occursIn(json)) {
            this.#refuse(resource, `${field} holds a secret at a place that cannot be changed`);
        }
    }

    #section(resource: StackResource, section: "inputs" | "outputs", properties: JsonObject): JsonObject {
        return mapMembers(properties, (value, key) => {
            if (key === "__provider") {
                return this.#provider(resource, value);
            }
            const twin = key === "__inputs" && section === "outputs" ? resource.inputs : resource.inputs?.[key];
            return this.#value(value, { resource, section, path: [key], twin });
        }) as JsonObject;
    }

    /** The code of a dynamic provider runs in the preview, so it stays as it is. */
    #provider(resource: StackResource, value: unknown): unknown {
        if (isSecret(value)) {
            this.#refuse(resource, "__provider, its code, is a secret: a preview runs it, so it cannot be replaced");
        }
        return value;
    }

    #value(value: unknown, place: Place): unknown {
        if (isSecret(value)) {
            return this.#secret(value, place);
        }
        if (typeof value === "string") {
            return this.#clearText(value, place);
        }
        const mark = markOf(value);
        if (mark === marks.asset || mark === marks.archive) {
            const text = isObject(value) ? value["text"] : undefined;
            if (typeof text === "string" && describeSensitive("", text) !== undefined) {
                this.#refuse(place.resource, `${pathOf(place)} is a file that holds ${describeSensitive("", text)}`);
            }
            return value;
        }
        if (mark !== undefined || typeof value !== "object" || value === null) {
            return value;
        }
        return mapMembers(value, (member, key) =>
            this.#value(member, {
                ...place,
                path: [...place.path, key],
                twin: isSecret(place.twin) ? undefined : (place.twin as JsonObject | undefined)?.[key],
            }),
        );
    }

    #secret(marker: JsonObject, place: Place): unknown {
        const json = JSON.stringify(this.#hide(marker, place) ?? null);
        this.#hidden.push(json);
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
                this.#refuse(
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
                this.#clearText(text, { ...place, path: [...path, name] });
            return hide(read.json, clearTwin, path.at(-1) ?? "", { placeholders, clearText });
        } catch (error) {
            if (error instanceof HiddenAssetError) {
                this.#refuse(
                    resource,
                    `${pathOf(place)} is a secret file: a placeholder would have a different digest`,
                );
                return null;
            }
            throw error;
        }
    }

    /** The inputs that providers keep in the outputs, rebuilt from the redacted inputs. */
    #copyOfInputs(resource: StackResource): unknown {
        const copy = (value: unknown, place: Place): unknown => {
            if (isSecret(value)) {
                return { [markKey]: marks.secret, ciphertext: JSON.stringify(this.#hide(value, place) ?? null) };
            }
            if (typeof value === "string") {
                return this.#clearText(value, place);
            }
            return typeof value !== "object" || value === null
                ? value
                : mapMembers(value, (member, key) => copy(member, { ...place, path: [...place.path, key] }));
        };
        return copy(resource.inputs ?? {}, { resource, section: "inputs", path: [], twin: undefined });
    }

    /** Replaces what should have been marked as a secret, and what is one elsewhere. */
    #clearText(text: string, place: Place): string {
        const { known, placeholders } = this.tools;
        const name = place.path.at(-1) ?? "";
        if (describeSensitive(name, text) !== undefined) {
            if (place.section === "inputs" && !known.isExplained(text)) {
                this.#doubt(place);
            }
            return placeholders.text(text);
        }
        return known.telling
            .filter((secret) => text.includes(secret))
            .reduce((rest, secret) => rest.replaceAll(secret, () => placeholders.text(secret)), text);
    }

    #doubt(place: Place): void {
        const doubt = `${nameOf(place.resource)}: ${pathOf(place)}`;
        if (!this.doubts.includes(doubt)) {
            this.doubts.push(doubt);
        }
    }

    #refuse(resource: StackResource, reason: string): void {
        this.#refusals.add(`${nameOf(resource)}: ${reason}`);
    }
}

function pathOf({ path }: SecretPlace): string {
    return path.reduce(joinPath, "");
}
