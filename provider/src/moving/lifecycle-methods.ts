import type { dynamic } from "@pulumi/pulumi";

/** What the provider of a resource calls. */
export interface Lifecycle<Inputs, State> {
    check(olds: Inputs, news: Inputs): Promise<dynamic.CheckResult<Inputs>>;
    diff(id: string, olds: State, news: Inputs): Promise<dynamic.DiffResult>;
    create(inputs: Inputs): Promise<dynamic.CreateResult<State>>;
    read(id: string, props: State): Promise<dynamic.ReadResult<State>>;
    update(id: string, olds: State, news: Inputs): Promise<dynamic.UpdateResult<State>>;
    delete(id: string, props: State): Promise<void>;
}
