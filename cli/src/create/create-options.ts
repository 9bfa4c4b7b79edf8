import { type InitOptions } from "../init/run-init.js";

/** The kinds of projects that `create` writes. */
export const kinds = ["writer", "pulumi", "service"] as const;
export type Kind = (typeof kinds)[number];

/** The options of `create`, parsed. */
export interface CreateOptions extends Partial<InitOptions> {
    stack: string;
    kind?: Kind;
    install: boolean;
    start: boolean;
    port?: number;
}
