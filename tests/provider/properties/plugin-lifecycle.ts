import assert from "node:assert/strict";
import type { sendUnaryData, UntypedHandleCall } from "@grpc/grpc-js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import * as proto from "@pulumi/pulumi/proto/provider_pb.js";
import {
    type LifecycleHost,
    type OperationContext,
    SavedFailure as CompiledFailure,
} from "pulumi-static-export/plugin-entry";
import { Calls } from "../../../plugin/src/engine/calls.js";
import type { EngineLog } from "../../../plugin/src/engine/engine-log.js";
import { resourceService } from "../../../plugin/src/resource-service.js";
import { resourceKinds } from "../../../plugin/src/resources/resource-kinds.js";
import type { CallError } from "../../../plugin/src/wire/unary.js";
import { decode, encode } from "../../../plugin/src/wire/properties.js";
import { SavedFailure } from "../../../provider/src/engine/saved-failure.js";
import type { JobRuntime } from "../../../provider/src/jobs/runtime.js";
import type { Lifecycle } from "../../../provider/src/moving/adopt-plugin-state.js";

// These lifecycles come from the sources, but the plugin uses the failure class of the compiled package.
Object.setPrototypeOf(SavedFailure.prototype, CompiledFailure.prototype);

/** A message of Pulumi's protocol. */
interface Message {
    serializeBinary(): Uint8Array;
}

/**
 * Calls a lifecycle through the plugin's methods, and encodes every request and response as the engine and the plugin
 * do. Like the host of dynamic providers, this class saves `__provider` for the model of the engine.
 */
export class PluginLifecycle<Inputs extends object, State extends object> implements Lifecycle<Inputs, State> {
    readonly #methods: Record<string, UntypedHandleCall>;
    readonly #urn: string;
    readonly #secretOutputs: ReadonlySet<string>;

    constructor(
        type: "StaticExportBundle" | "AgentJob",
        runtime: JobRuntime,
        createLifecycle: (runtime: JobRuntime) => Lifecycle<Inputs, State>,
    ) {
        const token = `static-export:index:${type}`;
        this.#urn = `urn:pulumi:production::docs::${token}::docs`;
        this.#secretOutputs = new Set(resourceKinds[token]?.secretOutputs);
        const open = (context: OperationContext) => createLifecycle({ ...runtime, ...context }) as never;
        const host: Partial<LifecycleHost> = { agentJob: open, staticExportBundle: open };
        const log = { info: (_urn: string, line: string) => runtime.log(line), flush: () => Promise.resolve() };
        this.#methods = resourceService({
            host: host as LifecycleHost,
            calls: new Calls({ gone: runtime.signal }, log as EngineLog),
            log: log as EngineLog,
        });
    }

    async check(olds: Inputs, news: Inputs) {
        const request = new proto.CheckRequest();
        request.setUrn(this.#urn);
        request.setOlds(this.#encode(olds));
        request.setNews(this.#encode(news));
        const response = await this.#call("check", request, proto.CheckRequest, proto.CheckResponse);
        const failures = response.getFailuresList().map((each) => each.toObject());
        return { inputs: decode(response.getInputs()).values as Inputs, failures };
    }

    async diff(id: string, olds: State, news: Inputs) {
        const request = new proto.DiffRequest();
        request.setUrn(this.#urn);
        request.setId(id);
        request.setOlds(this.#encode(olds));
        request.setNews(this.#encode(news));
        const response = await this.#call("diff", request, proto.DiffRequest, proto.DiffResponse);
        const changes = response.getChanges() === proto.DiffResponse.DiffChanges.DIFF_SOME;
        return { changes, replaces: response.getReplacesList() };
    }

    async create(inputs: Inputs) {
        const request = new proto.CreateRequest();
        request.setUrn(this.#urn);
        request.setProperties(this.#encode(inputs));
        const response = await this.#call("create", request, proto.CreateRequest, proto.CreateResponse);
        return { id: response.getId(), outs: this.#outputs(response) };
    }

    async read(id: string, props: State) {
        const request = new proto.ReadRequest();
        request.setUrn(this.#urn);
        request.setId(id);
        request.setProperties(this.#encode(props));
        const response = await this.#call("read", request, proto.ReadRequest, proto.ReadResponse);
        return { id: response.getId(), props: this.#outputs(response) };
    }

    async update(id: string, olds: State, news: Inputs) {
        const request = new proto.UpdateRequest();
        request.setUrn(this.#urn);
        request.setId(id);
        request.setOlds(this.#encode(olds));
        request.setNews(this.#encode(news));
        const response = await this.#call("update", request, proto.UpdateRequest, proto.UpdateResponse);
        return { outs: this.#outputs(response) };
    }

    async delete(id: string, props: State) {
        const request = new proto.DeleteRequest();
        request.setUrn(this.#urn);
        request.setId(id);
        request.setProperties(this.#encode(props));
        await this.#call("delete", request, proto.DeleteRequest);
    }

    #encode(values: object) {
        return encode(values, this.#secretOutputs);
    }

    /** Secrets must be marked in messages, because the engine would save unmarked secrets in plain text. */
    #outputs(response: { getProperties(): Parameters<typeof decode>[0] }): State {
        const { values, secrets } = decode(response.getProperties());
        const inClear = [...this.#secretOutputs].filter((name) => values[name] !== undefined && !secrets.has(name));
        assert.deepEqual(inClear, []);
        return values as State;
    }

    async #call<Request extends Message, Response extends Message>(
        method: string,
        request: Request,
        requestType: { deserializeBinary(bytes: Uint8Array): Request },
        responseType?: { deserializeBinary(bytes: Uint8Array): Response },
    ): Promise<Response> {
        const handle = this.#methods[method] as (call: object, callback: sendUnaryData<Response>) => void;
        const response = await new Promise<Response>((resolve, reject) =>
            handle({ request: requestType.deserializeBinary(request.serializeBinary()) }, (error, answer) =>
                error ? reject(this.#failure(error as CallError)) : resolve(answer!),
            ),
        );
        return responseType ? responseType.deserializeBinary(response.serializeBinary()) : response;
    }

    /** Returns the failure as the engine reads it, with the resource's saved state if there is one. */
    #failure({ details, metadata }: CallError): Error {
        const failure = new Error(details);
        const [bytes] = metadata?.get("grpc-status-details-bin") ?? [];
        if (bytes === undefined) {
            return failure;
        }
        const [detail] = Status.deserializeBinary(bytes as Buffer).getDetailsList();
        const failed = proto.ErrorResourceInitFailed.deserializeBinary(detail!.getValue_asU8());
        return Object.assign(failure, {
            id: failed.getId(),
            properties: { ...this.#outputs(failed), __provider: "shim" },
            reasons: failed.getReasonsList(),
        });
    }
}
