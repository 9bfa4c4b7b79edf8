import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { parseEngineAddress } from "pulumi-static-export/plugin-entry";
import schema from "./schema.json";
import { createProviderService } from "./provider-service.js";

/** The engine's limit for messages: sdk/go/common/util/rpcutil of pulumi/pulumi. */
const maxMessageBytes = 400 * 1024 * 1024;

const engineAddress = parseEngineAddress(process.argv.slice(2));
const server = new Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
});
// bundle-plugin.mjs adds it.
const { version } = schema as typeof schema & { version: string };
server.addService(
    ResourceProviderService,
    createProviderService({ engineAddress, version, schema: JSON.stringify(schema) }),
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) {
        throw error;
    }
    // The engine reads the port from the first line.
    process.stdout.write(`${port}\n`);
});
