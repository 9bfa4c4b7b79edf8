import type { dynamic } from "@pulumi/pulumi";
import { checkResource, diffInputs, type InputTable } from "./resource-inputs.js";

/**
 * The methods that the provider of a resource calls, as far as all resources share them. One instance serves all
 * resources of its kind, so it stores no resource between calls.
 */
export abstract class ResourceLifecycle<Inputs extends object, State extends object> {
    abstract readonly inputs: InputTable;

    protected abstract idOf(inputs: Inputs): string;

    /** Carries out a create, or an update of `olds`, and returns the new state. */
    protected abstract apply(inputs: Inputs, olds?: State): Promise<State>;

    check(olds: Inputs, news: Inputs): Promise<dynamic.CheckResult<Inputs>> {
        return Promise.resolve(this.validate({ ...news } as Record<string, unknown>, olds));
    }

    protected validate(news: Record<string, unknown>, olds: Inputs): dynamic.CheckResult<Inputs>;
    protected validate(news: Record<string, unknown>): dynamic.CheckResult<Inputs> {
        return checkResource(this.inputs, news) as dynamic.CheckResult<Inputs>;
    }

    /** Makes no request. */
    diff(_id: string, olds: State, news: Inputs): Promise<dynamic.DiffResult> {
        return Promise.resolve(this.compare(olds, news));
    }

    protected compare(olds: State, news: Inputs): dynamic.DiffResult {
        return diffInputs(this.inputs, olds, news);
    }

    async create(inputs: Inputs): Promise<dynamic.CreateResult<State>> {
        return { id: this.idOf(inputs), outs: await this.apply(inputs) };
    }

    read(id: string, props: State): Promise<dynamic.ReadResult<State>> {
        return Promise.resolve({ id, props });
    }

    async update(_id: string, olds: State, news: Inputs): Promise<dynamic.UpdateResult<State>> {
        return { outs: await this.apply(news, olds) };
    }

    /** Only removes the resource from the state. Needs no key and makes no request. */
    delete(id: string, props: State): Promise<void>;
    delete(): Promise<void> {
        return Promise.resolve();
    }
}
