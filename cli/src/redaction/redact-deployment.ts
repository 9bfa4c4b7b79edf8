import { type JsonObject, isSecret, joinPath } from "./pulumi/marked-values.js";
import { placeAt, PropertyRedaction, type RedactionNotes, type RedactionTools } from "./redact-properties.js";
import { nameOf, type StackResource } from "./pulumi/stack-resource.js";
import { isPropertyName } from "./placeholders/property-name.js";
import { knownTokens } from "./text/token-formats.js";

/** Replaces all secrets of a deployment. The notes list what prevents or limits the redaction. */
export function redactDeployment(
    deployment: JsonObject,
    tools: RedactionTools,
): { deployment: JsonObject; notes: RedactionNotes } {
    const redaction = new DeploymentRedaction(tools);
    return { deployment: redaction.redact(deployment), notes: redaction.notes };
}

class DeploymentRedaction {
    readonly #properties: PropertyRedaction;

    constructor(private readonly tools: RedactionTools) {
        this.#properties = new PropertyRedaction(tools);
    }

    get notes(): RedactionNotes {
        return this.#properties.notes;
    }

    redact(deployment: JsonObject): JsonObject {
        const {
            resources = [],
            pending_operations: operations,
            secrets_providers: _,
            metadata: __,
            ...rest
        } = deployment;
        const others = this.#copiesIn(rest) as JsonObject;
        const leftover = this.#leftoverIn(others);
        if (leftover !== undefined) {
            this.notes.refusals.add(leftover);
        }
        const redacted: JsonObject = {
            ...others,
            secrets_providers: { type: "passphrase", state: { salt: this.tools.crypter.salt } },
            resources: (resources as StackResource[]).map((resource) => this.#resource(resource)),
        };
        if (Array.isArray(operations)) {
            redacted["pending_operations"] = operations.map((operation: { resource: StackResource }) => ({
                ...operation,
                resource: this.#resource(operation.resource),
            }));
        }
        return redacted;
    }

    #resource(resource: StackResource): StackResource {
        this.#properties.encrypted.length = 0;
        const { type, inputs, outputs, initErrors, replacementTrigger, id, urn, ...others } = resource;
        const redacted: StackResource = {
            ...(this.#copiesIn(others) as JsonObject),
            type,
            urn: redactUrn(urn, (name) =>
                this.tools.copies.replace(name, () => `the name of a ${type.split(":").at(-1)}`),
            ),
        };
        if (id !== undefined) {
            redacted["id"] =
                typeof id === "string" ? this.tools.copies.replace(id, () => `${nameOf(resource)}: id`) : id;
        }
        for (const [section, properties] of Object.entries({ inputs, outputs })) {
            if (properties !== undefined) {
                redacted[section] = this.#properties.section(resource, section as "inputs" | "outputs", properties);
            }
        }
        if (replacementTrigger !== undefined) {
            redacted.replacementTrigger = this.#properties.value(
                replacementTrigger,
                placeAt(resource, "replacementTrigger"),
            );
        }
        if (initErrors !== undefined) {
            // A preview depends only on the existence of errors, not on their text.
            redacted.initErrors = initErrors.map(() => "redacted");
        }
        const leftover = this.#leftoverIn({ ...redacted, secrets: this.#properties.encrypted });
        if (leftover !== undefined) {
            this.#properties.refuse(resource, leftover);
        }
        return redacted;
    }

    /**
     * Replaces copies of secrets in strings that Pulumi itself wrote: identifiers, dependencies, times. These strings
     * may contain the characters of a short secret by coincidence.
     */
    #copiesIn(value: unknown): unknown {
        if (typeof value === "string") {
            return redactUrn(value, (name) => this.tools.copies.replace(name));
        }
        if (Array.isArray(value)) {
            return value.map((member) => this.#copiesIn(member));
        }
        return typeof value === "object" && value !== null
            ? Object.fromEntries(
                  Object.entries(value).map(([key, member]) => [
                      redactUrn(key, (name) => this.tools.copies.replace(name)),
                      this.#copiesIn(member),
                  ]),
              )
            : value;
    }

    /** Describes the first secret, or text in the format of one, that remains where nothing is replaced. */
    #leftoverIn(values: JsonObject): string | undefined {
        const { copies } = this.tools;
        for (const { text, place } of textsIn(values)) {
            const [secret] = copies.secretsIn(text);
            if (secret !== undefined) {
                const marked = `The secret is marked at: ${copies.nameOf(secret)}`;
                return `${place} holds a secret at a place that cannot be changed. ${marked}`;
            }
            if (!place.endsWith("__provider") && knownTokens(text).length > 0) {
                return `${place} holds a key that nobody marked as a secret: mark it, so that it is replaced`;
            }
        }
        return undefined;
    }
}

/** All unencrypted strings and numbers in a value, and map keys that are not names of properties. */
function* textsIn(value: unknown, place = ""): Generator<{ readonly text: string; readonly place: string }> {
    if (typeof value === "string" || typeof value === "number") {
        yield { text: String(value), place };
    } else if (typeof value === "object" && value !== null && !isSecret(value)) {
        for (const [key, member] of Object.entries(value)) {
            if (!isPropertyName(key)) {
                yield { text: key, place };
            }
            yield* textsIn(member, joinPath(place, key));
        }
    }
}

/**
 * Replaces secrets in the name of a URN, and in the identifier that follows it in a reference to a provider. The
 * program determines the stack, project and types of a URN. In strings that are not URNs, replaces secrets everywhere.
 */
function redactUrn(text: string, replace: (name: string) => string): string {
    const [, program = "", names = ""] = /^(urn:pulumi:[^:]+::[^:]+::(?:(?!::).)+::)(.*)$/s.exec(text) ?? [];
    return program === "" ? replace(text) : program + replace(names);
}
