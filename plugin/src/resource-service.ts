import type { UntypedHandleCall } from "@grpc/grpc-js";
import { parseUrn } from "@pulumi-static-export/contract";
import * as proto from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { type LifecycleHost, type OperationContext, withoutRefusedValues } from "pulumi-static-export/plugin-entry";
import type { Calls } from "./engine/calls.js";
import type { EngineLog } from "./engine/engine-log.js";
import { describeDiff } from "./resources/describe-diff.js";
import { resourceKinds } from "./resources/resource-kinds.js";
import type { Lifecycle, ResourceKind } from "./resources/resource-kind.js";
import { checkResponse } from "./wire/check-failures.js";
import { decode, encode } from "./wire/properties.js";
import { unary } from "./wire/unary.js";

interface ServiceRuntime {
    host: LifecycleHost;
    calls: Calls;
    log: EngineLog;
}

interface ResourceCall {
    kind: ResourceKind;
    lifecycle: Lifecycle;
    context: OperationContext;
}

/** Returns the methods of Pulumi's provider protocol for resources. The lifecycles do the work. */
export function resourceService({ host, calls, log }: ServiceRuntime): Record<string, UntypedHandleCall> {
    const open = (urn: string, timeoutSeconds?: number): ResourceCall => {
        const type = parseUrn(urn)?.type ?? "";
        const kind = Object.hasOwn(resourceKinds, type) ? resourceKinds[type] : undefined;
        if (kind === undefined) {
            const known = Object.keys(resourceKinds).join(", ");
            throw new Error(`${type || urn} is not a resource of this provider. The resources are ${known}.`);
        }
        const context = calls.context(urn, timeoutSeconds);
        return { kind, lifecycle: kind.lifecycle(host, context), context };
    };
    /** Outputs with the same name as a secret input are secret, too. */
    const secretsOf = ({ kind }: ResourceCall, ...given: ReadonlySet<string>[]) =>
        new Set([...kind.secretOutputs, ...given.flatMap((each) => [...each])]);

    return {
        check: unary(log, async (request: proto.CheckRequest) => {
            const { lifecycle } = open(request.getUrn());
            const news = decode(request.getNews());
            const olds = decode(request.getOlds()).values;
            const { inputs = {}, failures = [] } = withoutRefusedValues(await lifecycle.check(olds, news.values));
            return checkResponse({ values: inputs, secrets: news.secrets }, failures);
        }),
        diff: unary(log, async (request: proto.DiffRequest) => {
            const call = open(request.getUrn());
            const [olds, news] = [decode(request.getOlds()).values, decode(request.getNews()).values];
            return describeDiff(call, olds, news, await call.lifecycle.diff(request.getId(), olds, news));
        }),
        create: unary(log, async (request: proto.CreateRequest, failWith) => {
            const call = open(request.getUrn(), request.getTimeout());
            const { values, secrets } = decode(request.getProperties());
            const outputSecrets = failWith(secretsOf(call, secrets));
            const response = new proto.CreateResponse();
            if (request.getPreview()) {
                response.setProperties(encode(call.kind.previewState(values), outputSecrets));
                return response;
            }
            const { id, outs = {} } = await call.lifecycle.create(values);
            response.setId(id);
            response.setProperties(encode(outs, outputSecrets));
            return response;
        }),
        read: unary(log, async (request: proto.ReadRequest) => {
            const call = open(request.getUrn());
            const state = decode(request.getProperties());
            if (Object.keys(state.values).length === 0) {
                return readImport(host, call, request);
            }
            const { id = "", props = {} } = await call.lifecycle.read(request.getId(), state.values);
            const response = new proto.ReadResponse();
            response.setId(id);
            response.setProperties(encode(props, secretsOf(call, state.secrets)));
            const inputs = decode(request.getInputs());
            response.setInputs(encode(inputs.values, inputs.secrets));
            return response;
        }),
        update: unary(log, async (request: proto.UpdateRequest, failWith) => {
            const call = open(request.getUrn(), request.getTimeout());
            const [olds, news] = [decode(request.getOlds()), decode(request.getNews())];
            const outputSecrets = failWith(secretsOf(call, news.secrets));
            const response = new proto.UpdateResponse();
            if (request.getPreview()) {
                const state = call.kind.previewState(news.values, olds.values);
                response.setProperties(encode(state, outputSecrets));
                return response;
            }
            const { outs = {} } = await call.lifecycle.update(request.getId(), olds.values, news.values);
            response.setProperties(encode(outs, outputSecrets));
            return response;
        }),
        delete: unary(log, async (request: proto.DeleteRequest) => {
            const { lifecycle } = open(request.getUrn(), request.getTimeout());
            await lifecycle.delete(request.getId(), decode(request.getProperties()).values);
            return new Empty();
        }),
    };
}

async function readImport(
    host: LifecycleHost,
    { kind, context }: ResourceCall,
    request: proto.ReadRequest,
): Promise<proto.ReadResponse> {
    if (kind.importState === undefined) {
        throw new Error(`${request.getId()} cannot be imported: ${kind.noImport}.`);
    }
    const response = new proto.ReadResponse();
    const found = await kind.importState(host, request.getId(), context.signal);
    if (found !== undefined) {
        response.setId(found.id);
        response.setProperties(encode(found.state, new Set(kind.secretOutputs)));
        response.setInputs(encode(found.inputs, new Set()));
    }
    return response;
}
