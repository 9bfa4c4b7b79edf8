import type { dynamic } from "@pulumi/pulumi";
import { withoutRefusedValues } from "../engine/check-inputs.js";
import { definedOnly } from "../engine/defined-only.js";

/** The methods that the provider of a resource calls. */
export interface Lifecycle<Inputs, State> {
    check(olds: Inputs, news: Inputs): Promise<dynamic.CheckResult<Inputs>>;
    diff(id: string, olds: State, news: Inputs): Promise<dynamic.DiffResult>;
    create(inputs: Inputs): Promise<dynamic.CreateResult<State>>;
    read(id: string, props: State): Promise<dynamic.ReadResult<State>>;
    update(id: string, olds: State, news: Inputs): Promise<dynamic.UpdateResult<State>>;
    delete(id: string, props: State): Promise<void>;
}

interface AnyState {
    __provider?: string;
}

/**
 * Returns a lifecycle of a dynamic resource that can also take over resources of the plugin. The state of the plugin's
 * resources lacks the serialised provider, and without it Pulumi could neither read nor delete a dynamic resource. An
 * update without other changes adds the provider.
 */
export function adoptPluginState<Inputs extends AnyState, State extends AnyState>(
    lifecycle: Lifecycle<Inputs, State>,
    log: (line: string) => void,
): Lifecycle<Inputs, State> {
    const isUnchanged = async (id: string, olds: State, news: Inputs): Promise<boolean> =>
        (await lifecycle.diff(id, olds, news)).changes !== true;
    const isOfPlugin = (olds: State, news: Inputs): boolean =>
        olds.__provider === undefined && news.__provider !== undefined;
    return {
        check: async (olds, news) => withoutRefusedValues(await lifecycle.check(olds, news)),
        async diff(id, olds, news) {
            const found = await lifecycle.diff(id, olds, news);
            if (found.changes || !isOfPlugin(olds, news)) {
                return found;
            }
            log(`${id} was a resource of the plugin: this update only makes it a dynamic resource`);
            return { changes: true };
        },
        create: (inputs) => lifecycle.create(inputs),
        read: (id, props) => lifecycle.read(id, props),
        async update(id, olds, news) {
            return isOfPlugin(olds, news) && (await isUnchanged(id, olds, news))
                ? { outs: { ...olds, ...definedOnly(news) } }
                : lifecycle.update(id, olds, news);
        },
        delete: (id, props) => lifecycle.delete(id, props),
    };
}
