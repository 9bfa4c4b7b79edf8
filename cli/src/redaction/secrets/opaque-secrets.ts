import { isBundle, isMirror } from "@pulumi-static-export/contract";
import { type ConfigurationSecrets } from "./configuration-secrets.js";
import { memberOf } from "./hidden-values.js";
import { isSecret } from "../pulumi/marked-values.js";
import { type Placeholders } from "../placeholders/placeholders.js";
import { type SecretReader } from "../pulumi/secret-reader.js";
import { type StackResource } from "../pulumi/stack-resource.js";

/** The place of a secret in a state. */
export interface SecretPlace {
    readonly resource: StackResource;
    readonly section: "inputs" | "outputs";
    /** The names of the properties on the path to the secret. */
    readonly path: readonly string[];
}

interface OpaqueSource {
    readonly link: string;
    readonly bytes: number;
}

/**
 * Placeholders for secrets whose plain text is unknown. The format comes from a secret's place, and dependencies and
 * lengths show which secrets are equal.
 */
export class OpaqueSecrets {
    /** The links of the stack's bundles and mirrors, by URN. */
    readonly #links = new Map<string, OpaqueSource>();
    #isUnused = true;

    constructor(
        resources: readonly StackResource[],
        private readonly reader: SecretReader,
        private readonly configuration: ConfigurationSecrets,
        private readonly placeholders: Placeholders,
    ) {
        for (const resource of resources) {
            const bytes = this.#bytesOf(resource.outputs?.[linkOutput(resource) ?? ""]);
            if (bytes !== undefined) {
                this.#links.set(resource.urn, { link: linkOf(resource.urn), bytes });
            }
        }
    }

    /** Whether every secret so far was decrypted. */
    get isUnused(): boolean {
        return this.#isUnused;
    }

    /** The JSON text that replaces the secret; undefined if its format is unknown. */
    placeholderAt(place: SecretPlace, bytes: number): unknown {
        this.#isUnused = false;
        const text = this.#identify(place, bytes);
        return text === undefined ? undefined : this.placeholders.text(text);
    }

    #identify({ resource, section, path }: SecretPlace, bytes: number): string | undefined {
        const [property = ""] = path;
        if (path.length === 1 && section === "outputs" && property === linkOutput(resource)) {
            return linkOf(resource.urn);
        }
        if (section === "outputs") {
            const twin = path.reduce<unknown>((value, key) => memberOf(value, key), resource.inputs);
            if (this.#bytesOf(twin) === bytes) {
                return this.#identify({ resource, section: "inputs", path }, bytes);
            }
        }
        if (resource.type === "kubernetes:helm.sh/v3:Release" && path.join(".") === "values.staticExport.bundleUrl") {
            return this.#linkOfRelease(resource, bytes);
        }
        if (resource.type.startsWith("pulumi:providers:") && path.length === 1) {
            const key = property.includes(":") ? property : `${resource.type.split(":").at(-1)}:${property}`;
            return this.configuration.identify(key, bytes);
        }
        if (resource.type === "pulumi:pulumi:Stack") {
            const same = [...this.#links.values()].find((source) => source.bytes === bytes);
            return same?.link ?? `\0${resource.urn}.${path.join(".")}`;
        }
        return undefined;
    }

    /** Finds the link's resource in the dependencies of the values. A link of a different length is an earlier link. */
    #linkOfRelease({ urn, propertyDependencies }: StackResource, bytes: number): string {
        const sources = (propertyDependencies?.["values"] ?? []).map((each) => this.#links.get(each));
        return sources.find((source) => source?.bytes === bytes)?.link ?? linkOf(`${urn}.earlier`);
    }

    #bytesOf(value: unknown): number | undefined {
        const read = isSecret(value) ? this.reader.read(value) : undefined;
        return read !== undefined && "plaintextBytes" in read ? read.plaintextBytes : undefined;
    }
}

function linkOutput(resource: StackResource): string | undefined {
    if (isBundle(resource)) {
        return "bundleUrl";
    }
    return isMirror(resource) ? "url" : undefined;
}

/** Replaces a link that could not be decrypted, in the same format. */
function linkOf(urn: string): string {
    return `https://unread.invalid/${encodeURIComponent(urn)}?signature=unread`;
}
