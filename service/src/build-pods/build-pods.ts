import { readFileSync } from "node:fs";
import { isRecord } from "@pulumi-static-export/contract";
import { parseYaml } from "@pulumi-static-export/exporter";
import { ServiceOptionsError } from "../shared/service-options-error.js";

type Fields = Readonly<Record<string, unknown>>;

/** The operator's settings of the pods in which builds run, as in the file that the chart writes. */
export interface BuildPods {
    /** The image of builds without their own. */
    readonly image: string;
    /** The image with the `static-export` command, which brings checkouts into pods and output out of them. */
    readonly transferImage: string;
    /** Variables that builds may name, by name, from keys of Secrets. */
    readonly secretEnv: Readonly<Record<string, { readonly name: string; readonly key: string }>>;
    /** Fields of all containers. */
    readonly containers: Fields;
    /** Fields of the container with the builder. */
    readonly builder: Fields;
    /** Labels and annotations of pods. */
    readonly metadata: Fields;
    /** Fields of pods. */
    readonly pod: Fields;
    /** How long Kubernetes keeps an ended Job. */
    readonly ttlSecondsAfterFinished: number;
}

const minKeptSeconds = 60;

/** @throws ServiceOptionsError */
export function readBuildPods(file: string): BuildPods {
    let value: unknown;
    try {
        value = parseYaml(readFileSync(file, "utf8"));
    } catch (error) {
        throw new ServiceOptionsError(`--builds-pods ${file} cannot be read: ${(error as Error).message}`);
    }
    const settings = isRecord(value) ? value : {};
    const textOf = (name: string): string => {
        const text = settings[name];
        if (typeof text !== "string" || text === "") {
            throw new ServiceOptionsError(`--builds-pods ${file} must contain ${name}.`);
        }
        return text;
    };
    const fieldsOf = (name: string): Record<string, unknown> => {
        const fields = settings[name] ?? {};
        if (!isRecord(fields)) {
            throw new ServiceOptionsError(`--builds-pods ${file}: ${name} must be an object.`);
        }
        return fields;
    };
    const { ttlSecondsAfterFinished: seconds = 600 } = settings;
    // The worker reads the end of a Job before Kubernetes deletes it.
    if (typeof seconds !== "number" || !Number.isSafeInteger(seconds) || seconds < minKeptSeconds) {
        throw new ServiceOptionsError(
            `--builds-pods ${file}: ttlSecondsAfterFinished must be a whole number from ${minKeptSeconds}.`,
        );
    }
    return {
        image: textOf("image"),
        transferImage: textOf("transferImage"),
        secretEnv: fieldsOf("secretEnv") as BuildPods["secretEnv"],
        containers: fieldsOf("containers"),
        builder: fieldsOf("builder"),
        metadata: fieldsOf("metadata"),
        pod: fieldsOf("pod"),
        ttlSecondsAfterFinished: seconds,
    };
}

/** The reason why a build may not name a variable. */
export function assertVariables(names: readonly string[], { secretEnv }: BuildPods): void {
    const missing = names.find((name) => !Object.hasOwn(secretEnv, name));
    if (missing !== undefined) {
        throw new Error(
            `The build needs the environment variable ${missing}, which the operator has not given: name it in ` +
                "builds.secretEnv of the chart.",
        );
    }
}

export function asFields(value: unknown): Fields {
    return isRecord(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? (value as unknown[]) : [];
}
