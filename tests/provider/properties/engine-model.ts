import assert from "node:assert/strict";
import { createRequire } from "node:module";
import type { Lifecycle } from "../../../provider/src/moving/adopt-plugin-state.js";

/** The class that Pulumi uses to pass values to and from a dynamic provider. */
const { Struct } = createRequire(import.meta.url)("google-protobuf/google/protobuf/struct_pb.js") as {
    Struct: { fromJavaScript(value: object): { toJavaScript(): Record<string, unknown> } };
};

const shim = "shim";

/** The resource in the state. */
export interface Resource<State> {
    id: string;
    outputs: State;
    /**
     * Whether the last operation failed and was saved: the next up then updates the resource regardless of the diff.
     */
    initFailed: boolean;
}

/** Runs a method of the provider; rejects if the provider is killed meanwhile, regardless of the method's result. */
export type Call<Inputs, State> = <T>(method: (lifecycle: Lifecycle<Inputs, State>) => Promise<T>) => Promise<T>;

/**
 * A model of Pulumi's engine and its host of dynamic providers, for one resource. Source: pulumi 3.259,
 * pkg/resource/deploy/step.go and step_generator.go, and cmd/dynamic-provider/index.js of @pulumi/pulumi. A failing
 * method rejects with the provider's error.
 */
export class EngineModel<Inputs extends object, State extends object> {
    resource: Resource<State> | undefined;
    /** Replaced resources, which are deleted at the end of the first run that succeeds. */
    readonly #condemned: Resource<State>[] = [];

    async up(program: Inputs, call: Call<Inputs, State>): Promise<void> {
        const inputs = await this.#check(program, call);
        const change = await this.#plan(inputs, call);
        if (change === "create" || change === "replace") {
            await this.#create(inputs, call);
        } else if (change === "update") {
            await this.#update(inputs, call);
        }
        for (const condemned of this.#condemned.splice(0)) {
            await call((lifecycle) => lifecycle.delete(condemned.id, condemned.outputs));
        }
    }

    /** Discards the checkpoint, and with it all information about the resource. */
    forget(): void {
        this.resource = undefined;
        this.#condemned.length = 0;
    }

    async preview(program: Inputs, call: Call<Inputs, State>): Promise<"create" | "update" | "replace" | "same"> {
        return this.#plan(await this.#check(program, call), call);
    }

    /** A successful refresh also clears the failure of the last operation. */
    async refresh(call: Call<Inputs, State>): Promise<void> {
        const { resource } = this;
        if (resource) {
            const { id, props } = await call((lifecycle) => lifecycle.read(resource.id, resource.outputs));
            this.resource = id ? { id, outputs: saved({ ...props, __provider: shim }), initFailed: false } : undefined;
        }
    }

    async destroy(call: Call<Inputs, State>): Promise<void> {
        for (const { id, outputs } of [...this.#condemned, ...(this.resource ? [this.resource] : [])]) {
            await call((lifecycle) => lifecycle.delete(id, outputs));
        }
        this.#condemned.length = 0;
        this.resource = undefined;
    }

    async #check(program: Inputs, call: Call<Inputs, State>): Promise<Inputs> {
        const news = carried({ ...program, __provider: shim }) as unknown as Inputs;
        const { inputs, failures } = await call((lifecycle) => lifecycle.check(news, news));
        assert.deepEqual(failures, []);
        return carried({ ...inputs, __provider: shim }) as unknown as Inputs;
    }

    async #plan(inputs: Inputs, call: Call<Inputs, State>): Promise<"create" | "update" | "replace" | "same"> {
        const { resource } = this;
        if (!resource) {
            return "create";
        }
        const diff = await call((lifecycle) => lifecycle.diff(resource.id, resource.outputs, inputs));
        if (diff.changes && diff.replaces?.length) {
            return "replace";
        }
        return diff.changes || resource.initFailed ? "update" : "same";
    }

    async #create(inputs: Inputs, call: Call<Inputs, State>): Promise<void> {
        const replaced = this.resource;
        await this.#saving(
            async () => {
                const { id, outs } = await call((lifecycle) => lifecycle.create(inputs));
                return { id, outputs: outs };
            },
            () => replaced && this.#condemned.push(replaced),
        );
    }

    async #update(inputs: Inputs, call: Call<Inputs, State>): Promise<void> {
        const { id, outputs } = this.resource!;
        await this.#saving(async () => {
            const { outs } = await call((lifecycle) => lifecycle.update(id, outputs, inputs));
            return { id, outputs: outs };
        });
    }

    /**
     * Saves a success with `__provider`, and a failure without `__provider` if it has an id; other failures change
     * nothing.
     */
    async #saving(
        operation: () => Promise<{ id: string; outputs: object | undefined }>,
        onSaved: () => void = () => {},
    ): Promise<void> {
        try {
            const { id, outputs } = await operation();
            this.resource = { id, outputs: saved({ ...outputs, __provider: shim }), initFailed: false };
        } catch (error) {
            const { id, properties } = error as { id?: string; properties?: object };
            if (!id) {
                throw error;
            }
            this.resource = { id, outputs: saved(properties ?? {}), initFailed: true };
            onSaved();
            throw error;
        }
        onSaved();
    }
}

/** Returns the state to save; asserts that Pulumi can store it, and that every later call can read it. */
function saved<State>(properties: object): State {
    const outputs = carried(properties);
    assert.deepEqual(outputs, properties, "what is saved is not what was given");
    assert.deepEqual(JSON.parse(JSON.stringify(properties)), outputs, "what is saved is no JSON");
    assert.equal(outputs.__provider, shim, "later calls will fail: __provider is missing");
    return outputs as unknown as State;
}

/** Throws on undefined, and turns dates into empty objects. */
function carried(value: object): Record<string, unknown> {
    return Struct.fromJavaScript(value).toJavaScript();
}
