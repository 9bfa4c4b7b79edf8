/** A kind of pod: the name of its container, and its name in messages. */
export type PodKind = "build" | "agent";

/** The part of a checkout that the pod sends back, and its cache. */
export interface PodOutput {
    /** The folder of the command, in the checkout. */
    readonly baseFolder: string;
    readonly outputFolder: string;
    readonly diskMegabytes: number;
    /** Undefined for builds without a cache. */
    readonly cacheMegabytes?: number;
}

interface PodLimits {
    /** From when the pod has a node. */
    readonly timeoutSeconds: number;
    /** For the checkout and for the temporary files, each. */
    readonly diskMegabytes: number;
    /** @default the limit in the operator's settings */
    readonly memoryMegabytes?: number;
    /** @default no cache is received */
    readonly cacheMegabytes?: number;
}

/** The files that a pod gets, and those that it sends back. */
export interface PodFiles {
    readonly folder: string;
    /** The files and folders in the folder that the pod gets. */
    readonly sent: readonly string[];
    /** The folder for the output, and the file for the packed cache. Neither exists. */
    readonly received: { readonly output: string; readonly cache: string };
}

/** A command that runs in a pod. */
export interface PodWork extends PodFiles {
    readonly kind: PodKind;
    readonly jobId: string;
    /** @default the image in the operator's settings */
    readonly image?: string | undefined;
    readonly command: readonly string[];
    readonly variables: Readonly<Record<string, string>>;
    /** Names of further variables, whose values are in Secrets. */
    readonly environment: readonly string[];
    readonly limits: PodLimits;
    /** Undefined to get the whole checkout back. */
    readonly output?: PodOutput;
    /** Called with each line about the pod and its output. */
    readonly onLine: (line: string) => void;
    /** Gets the output of the command. */
    readonly log: {
        readonly addOutput: (chunk: Buffer) => void;
        /** @returns the last lines, for the reason of a failure */
        readonly end: () => string;
    };
    /** Says why the command failed. @param reason after the kind of the work, such as `exited with code 1` */
    readonly explain: (reason: string, logEnd: string) => Error;
    /** When aborted, the pod is deleted. */
    readonly signal: AbortSignal;
}
