import { status, type UntypedHandleCall, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as proto from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { isUnknown, LifecycleHost } from "pulumi-static-export/plugin-entry";
import { construct } from "./components/construct.js";
import { Calls } from "./engine/calls.js";
import { EngineLog } from "./engine/engine-log.js";
import { checkConfig, lifecycleConfig } from "./engine/provider-config.js";
import { resourceService } from "./resource-service.js";
import { checkResponse } from "./wire/check-failures.js";
import { decode, encode, type Properties } from "./wire/properties.js";
import { unary } from "./wire/unary.js";

export interface ProviderOptions {
    /**
     * The address that the engine passes to the plugin. Without an address, engines attach to the running plugin.
     */
    engineAddress: string | undefined;
    version: string;
    schema: string;
}

/** Implements Pulumi's provider protocol with the lifecycles of the resources. */
export function createProviderService({
    engineAddress,
    version,
    schema,
}: ProviderOptions): UntypedServiceImplementation {
    let settings: Properties = {};
    const log = new EngineLog(engineAddress);
    const host = new LifecycleHost(
        engineAddress,
        () => lifecycleConfig(settings),
        (line) => log.info("", line),
    );
    const calls = new Calls(host, log);
    const own: Record<string, UntypedHandleCall> = {
        getPluginInfo: unary(log, () => {
            const info = new PluginInfo();
            info.setVersion(version);
            return info;
        }),
        getSchema: unary(log, () => {
            const response = new proto.GetSchemaResponse();
            response.setSchema(schema);
            return response;
        }),
        checkConfig: unary(log, (request: proto.CheckRequest) => {
            const { values, secrets, failures } = checkConfig(decode(request.getNews()));
            return checkResponse({ values, secrets }, failures);
        }),
        // Settings are credentials and addresses: changing them replaces no resource.
        diffConfig: unary(log, () => {
            const response = new proto.DiffResponse();
            response.setChanges(proto.DiffResponse.DiffChanges.DIFF_NONE);
            return response;
        }),
        configure: unary(log, (request: proto.ConfigureRequest) => {
            settings = decode(request.getArgs()).values;
            const response = new proto.ConfigureResponse();
            response.setAcceptsecrets(true);
            response.setSupportspreview(true);
            return response;
        }),
        // PULUMI_DEBUG_PROVIDERS=static-export:PORT uses a plugin that was started by hand, in a debugger for example.
        attach: unary(log, (request: PluginAttach) => {
            log.attach(request.getAddress());
            calls.attach();
            return new Empty();
        }),
        cancel: unary(log, () => {
            calls.cancel();
            return new Empty();
        }),
        invoke: unary(log, async (request: proto.InvokeRequest) => {
            if (request.getTok() !== "static-export:index:getAgentJob") {
                throw new Error(`${request.getTok()} is not a function of this provider.`);
            }
            const { projectId, id, waitUntilDone } = decode(request.getArgs()).values;
            const response = new proto.InvokeResponse();
            if (![projectId, id, waitUntilDone].some(isUnknown)) {
                const which = { projectId: String(projectId), id: String(id), waitUntilDone: waitUntilDone === true };
                const { signal } = calls.context("");
                response.setReturn(encode(await host.readAgentJob(which, signal), new Set()));
            }
            return response;
        }),
        construct: unary(log, construct),
        ...resourceService({ host, calls, log }),
    };
    const unimplemented = Object.keys(ResourceProviderService).map((name) => [name, refuse(name)]);
    return { ...(Object.fromEntries(unimplemented) as UntypedServiceImplementation), ...own };
}

/** The engine does not need the methods that a plugin reports as not implemented. */
function refuse(name: string): UntypedHandleCall {
    return (call: { emit(event: "error", error: object): void }, callback?: (error: object) => void) => {
        const error = { code: status.UNIMPLEMENTED, details: `${name} is not implemented` };
        if (callback) {
            callback(error);
        } else {
            call.emit("error", error);
        }
    };
}
