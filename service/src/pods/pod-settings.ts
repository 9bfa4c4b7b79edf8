import { readFileSync } from "node:fs";
import { isRecord } from "@pulumi-static-export/contract";
import { parseYaml } from "@pulumi-static-export/exporter";
import { passwordOf } from "../builds/build-environment.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { type PodKind } from "./pod-work.js";

type Fields = Readonly<Record<string, unknown>>;

/** The operator's settings of the pods in which builds or agents run, as in the file that the chart writes. */
export interface PodSettings {
    /** The image of agents, and of builds without their own. */
    readonly image: string;
    /** The image with the `static-export` command, which brings checkouts into pods, and output out of them. */
    readonly transferImage: string;
    /** Variables that builds and agents may name, by name, from keys of Secrets. */
    readonly secretEnv: Readonly<Record<string, { readonly name: string; readonly key: string }>>;
    /** Fields of all containers. */
    readonly containers: Fields;
    /** Fields of the container that runs the command. */
    readonly main: Fields;
    /** Labels and annotations of pods. */
    readonly metadata: Fields;
    /** Fields of pods. */
    readonly pod: Fields;
    /** How long Kubernetes keeps an ended Job. */
    readonly ttlSecondsAfterFinished: number;
}

const minKeptSeconds = 60;

/** @throws ServiceOptionsError */
export function readPodSettings(file: string): PodSettings {
    let value: unknown;
    try {
        value = parseYaml(readFileSync(file, "utf8"));
    } catch (error) {
        throw new ServiceOptionsError(`--pods ${file} cannot be read: ${(error as Error).message}`);
    }
    const settings = isRecord(value) ? value : {};
    const textOf = (name: string): string => {
        const text = settings[name];
        if (typeof text !== "string" || text === "") {
            throw new ServiceOptionsError(`--pods ${file} must contain ${name}.`);
        }
        return text;
    };
    const fieldsOf = (name: string): Record<string, unknown> => {
        const fields = settings[name] ?? {};
        if (!isRecord(fields)) {
            throw new ServiceOptionsError(`--pods ${file}: ${name} must be an object.`);
        }
        return fields;
    };
    const { ttlSecondsAfterFinished: seconds = 600 } = settings;
    // The worker reads the end of a Job before Kubernetes deletes it.
    if (typeof seconds !== "number" || !Number.isSafeInteger(seconds) || seconds < minKeptSeconds) {
        throw new ServiceOptionsError(
            `--pods ${file}: ttlSecondsAfterFinished must be a whole number from ${minKeptSeconds}.`,
        );
    }
    return {
        image: textOf("image"),
        transferImage: textOf("transferImage"),
        secretEnv: fieldsOf("secretEnv") as PodSettings["secretEnv"],
        containers: fieldsOf("containers"),
        main: fieldsOf("main"),
        metadata: fieldsOf("metadata"),
        pod: fieldsOf("pod"),
        ttlSecondsAfterFinished: seconds,
    };
}

/** @throws ServiceOptionsError about a variable that the operator has not given */
export function assertVariables(kind: PodKind, names: readonly string[], { secretEnv }: PodSettings): void {
    const missing = names.find((name) => !Object.hasOwn(secretEnv, name));
    if (missing !== undefined) {
        throw new ServiceOptionsError(
            `The ${kind} needs the environment variable ${missing}, which the operator has not given: name it in ` +
                `${kind}s.secretEnv of the chart.`,
        );
    }
}

/** The passwords in the operator's variables, such as those of proxies, which no log may contain. */
export function passwordsIn({ main }: PodSettings): string[] {
    return asList(main["env"]).flatMap((each) => {
        const { value } = asFields(each);
        return typeof value === "string" ? passwordOf(value) : [];
    });
}

export function asFields(value: unknown): Fields {
    return isRecord(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? (value as unknown[]) : [];
}
