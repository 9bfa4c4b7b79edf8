import { credentials, type ServiceError } from "@grpc/grpc-js";
import { unknownValue } from "@pulumi-static-export/contract";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import * as proto from "@pulumi/pulumi/proto/resource_pb.js";
import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import type { Properties } from "../wire/properties.js";

/** Properties in the protocol's form: secrets are wrapped, and {@link unknownValue} replaces unknown values. */
export type WireProperties = Properties;

export interface Declaration {
    type: string;
    name: string;
    inputs: WireProperties;
    /** URNs of the resources that must exist first. */
    dependsOn?: readonly string[];
}

/** A resource that the engine has created, updated or previewed. */
export class RegisteredResource {
    constructor(
        readonly urn: string,
        readonly outputs: WireProperties,
    ) {}

    /** Returns an output in the protocol's form. */
    output(name: string): unknown {
        return this.outputs[name] ?? unknownValue;
    }
}

/** The part of the engine that components use to declare resources. */
export class ResourceMonitor {
    readonly #client: ResourceMonitorClient;

    constructor(address: string) {
        this.#client = new ResourceMonitorClient(address, credentials.createInsecure());
    }

    /**
     * Resolves when the engine has carried out the request. If the request fails, the engine itself shows the reason.
     */
    register(request: proto.RegisterResourceRequest): Promise<RegisteredResource> {
        request.setAcceptsecrets(true);
        request.setSupportspartialvalues(true);
        return new Promise((resolve, reject) =>
            this.#client.registerResource(request, (error: ServiceError | null, answer) =>
                error
                    ? reject(new Error(`${request.getName()} was not deployed: ${error.details}`))
                    : resolve(new RegisteredResource(answer.getUrn(), toProperties(answer.getObject()))),
            ),
        );
    }

    /** Saves the outputs of a component. */
    saveOutputs(urn: string, outputs: WireProperties): Promise<void> {
        const request = new proto.RegisterResourceOutputsRequest();
        request.setUrn(urn);
        request.setOutputs(toStruct(outputs));
        return new Promise((resolve, reject) =>
            this.#client.registerResourceOutputs(request, (error: ServiceError | null) =>
                error ? reject(error) : resolve(),
            ),
        );
    }

    close(): void {
        this.#client.close();
    }
}

export function toProperties(struct: Struct | undefined): WireProperties {
    return struct?.toJavaScript() ?? {};
}

/** Omits undefined values. */
export function toStruct(properties: WireProperties): Struct {
    const given = Object.entries(properties).filter(([, value]) => value !== undefined);
    return Struct.fromJavaScript(Object.fromEntries(given) as Parameters<typeof Struct.fromJavaScript>[0]);
}
