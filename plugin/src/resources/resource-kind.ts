import type { InputTable, LifecycleHost, OperationContext } from "pulumi-static-export/plugin-entry";
import type { CheckFailure } from "../wire/check-failures.js";
import type { Properties } from "../wire/properties.js";

/** The methods of a lifecycle, which the dynamic provider also calls. */
export interface Lifecycle {
    readonly inputs: InputTable;
    check(olds: Properties, news: Properties): Promise<{ inputs?: Properties; failures?: CheckFailure[] }>;
    diff(id: string, olds: Properties, news: Properties): Promise<{ changes?: boolean; replaces?: string[] }>;
    create(inputs: Properties): Promise<{ id: string; outs?: Properties }>;
    read(id: string, props: Properties): Promise<{ id?: string; props?: Properties }>;
    update(id: string, olds: Properties, news: Properties): Promise<{ outs?: Properties }>;
    delete(id: string, props: Properties): Promise<void>;
}

/** The description of a resource that the engine's protocol needs in addition to its lifecycle. */
export interface ResourceKind {
    lifecycle(host: LifecycleHost, context: OperationContext): Lifecycle;
    /** Outputs that are secret even if no input is secret. */
    readonly secretOutputs: readonly string[];
    /** Returns the outputs that change in an update without changed inputs, such as the renewal of an expired link. */
    changedOutputs(olds: Properties, news: Properties): readonly string[];
    /** Returns the previewed state after a create or an update, with placeholders for unknown values. */
    previewState(news: Properties, olds?: Properties): Properties;
    /** Reads the platform's object with the id from `pulumi import`. Undefined if the object does not exist. */
    importState?(
        host: LifecycleHost,
        importId: string,
        signal: AbortSignal,
    ): Promise<{ id: string; state: Properties; inputs: Properties } | undefined>;
    /** Why this resource cannot be imported, and what to do instead. */
    readonly noImport?: string;
}
