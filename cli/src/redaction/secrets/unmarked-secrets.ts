import { isSecret, type JsonObject, markOf } from "../pulumi/marked-values.js";
import { type StackResource } from "../pulumi/stack-resource.js";
import { isSecretData, nameBeside, nameOfMember } from "../text/name-beside.js";
import { type TextToSearch } from "../text/text-secrets.js";

interface PlainText extends Required<TextToSearch> {
    readonly path: readonly string[];
}

/** The properties of a Kubernetes resource with its kind, which states may omit. */
export function withKind({ type }: StackResource, properties: JsonObject): JsonObject {
    return /^kubernetes:core\/v1:Secret(Patch)?$/.test(type) ? { kind: "Secret", ...properties } : properties;
}

/** The names and places of an object's members, which help to recognise unmarked secrets. */
export function memberNames(
    value: object,
    name: string,
    isInSecret: boolean,
): { key: string; member: unknown; name: string; isSecret: boolean }[] {
    return Object.entries(value as Record<string, unknown>).map(([key, member], index) => ({
        ...{ key, member },
        name: Array.isArray(value) ? nameOfMember(value, index, name) : nameBeside(value, key),
        isSecret: isInSecret || (!Array.isArray(value) && isSecretData(value, key)),
    }));
}

/** The unmarked strings and numbers in the inputs or outputs of a resource. */
export function* plainTexts(
    value: unknown,
    name = "",
    isInSecret = false,
    path: readonly string[] = [],
): Generator<PlainText> {
    if (typeof value === "string" || typeof value === "number") {
        yield { name, text: String(value), isSecret: isInSecret, path };
    } else if (typeof value === "object" && value !== null && !isSecret(value) && markOf(value) === undefined) {
        for (const each of memberNames(value, name, isInSecret)) {
            if (each.key !== "__provider") {
                yield* plainTexts(each.member, each.name, each.isSecret, [...path, each.key]);
            }
        }
    }
}
