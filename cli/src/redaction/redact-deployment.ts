import { type JsonObject, isSecret } from "./pulumi/marked-values.js";
import { placeAt, PropertyRedaction, type RedactionNotes, type RedactionTools } from "./redact-properties.js";
import { nameOf, type StackResource } from "./pulumi/stack-resource.js";
import { isPropertyName } from "./placeholders/property-name.js";

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
        const redacted: JsonObject = {
            ...(this.#copiesIn(rest) as JsonObject),
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
        for (const [field, value] of Object.entries({ ...redacted, secrets: this.#properties.encrypted })) {
            this.#refuseLeftovers(resource, field, value);
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

    #refuseLeftovers(resource: StackResource, field: string, value: unknown): void {
        for (const text of textsIn(value)) {
            const [secret] = this.tools.copies.secretsIn(text);
            if (secret !== undefined) {
                const place = `${field} holds a secret at a place that cannot be changed`;
                this.#properties.refuse(
                    resource,
                    `${place}. The secret is marked at: ${this.tools.copies.nameOf(secret)}`,
                );
                return;
            }
        }
    }
}

/** All unencrypted strings and numbers in a value, and map keys that are not names of properties. */
function* textsIn(value: unknown): Generator<string> {
    if (typeof value === "string" || typeof value === "number") {
        yield String(value);
    } else if (typeof value === "object" && value !== null && !isSecret(value)) {
        for (const [key, member] of Object.entries(value)) {
            if (!isPropertyName(key)) {
                yield key;
            }
            yield* textsIn(member);
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
