/** A plugin whose only resource does nothing: the minimum cost of a plugin in Node.js. */
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as proto from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";

const text = { type: "string" };
const schema = {
    name: "trivial",
    version: "0.1.0",
    resources: {
        "trivial:index:Resource": {
            inputProperties: { domain: text, version: text },
            properties: { domain: text, version: text },
        },
    },
};

const answers: Record<string, (request: never) => unknown> = {
    getPluginInfo: () => {
        const info = new PluginInfo();
        info.setVersion(schema.version);
        return info;
    },
    getSchema: () => {
        const response = new proto.GetSchemaResponse();
        response.setSchema(JSON.stringify(schema));
        return response;
    },
    checkConfig: checked,
    check: checked,
    configure: () => {
        const response = new proto.ConfigureResponse();
        response.setSupportspreview(true);
        return response;
    },
    create: (request: proto.CreateRequest) => {
        const response = new proto.CreateResponse();
        response.setId("trivial");
        response.setProperties(request.getProperties());
        return response;
    },
    delete: () => new Empty(),
    cancel: () => new Empty(),
};

function checked(request: proto.CheckRequest): proto.CheckResponse {
    const response = new proto.CheckResponse();
    response.setInputs(request.getNews());
    return response;
}

const server = new Server();
const methods = Object.entries(answers).map(([name, answer]) => [
    name,
    (call: ServerUnaryCall<never, unknown>, callback: sendUnaryData<unknown>) => callback(null, answer(call.request)),
]);
server.addService(ResourceProviderService, Object.fromEntries(methods) as never);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) {
        throw error;
    }
    // The engine reads the port from the first line.
    process.stdout.write(`${port}\n`);
});
