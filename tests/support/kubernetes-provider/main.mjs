/**
 * A provider with the type tokens of the Kubernetes provider, which takes half an hour to build from source. It accepts
 * every resource, returns its inputs as outputs, and contacts no cluster.
 */
import { randomUUID } from "node:crypto";
import { Server, ServerCredentials, status } from "@grpc/grpc-js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import structProto from "google-protobuf/google/protobuf/struct_pb.js";
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import grpcProto from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import kubernetes from "@pulumi/kubernetes/package.json" with { type: "json" };
import { changedPaths } from "./changed-paths.mjs";

const { Kind } = proto.PropertyDiff;
const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;

/** Properties whose change replaces a Release. */
const replacing = ["name", "namespace"];

const schema = {
    name: "kubernetes",
    version: kubernetes.version,
    provider: { inputProperties: { kubeconfig: { type: "string" } } },
    resources: Object.fromEntries(
        ["kubernetes:core/v1:Secret", "kubernetes:helm.sh/v3:Release"].map((token) => [token, {}]),
    ),
};

/** Values stay in the engine's form, so that secrets and unknown values need no conversion. */
const methods = {
    getPluginInfo: () => filled(pluginProto.PluginInfo, { version: kubernetes.version }),
    getSchema: () => filled(proto.GetSchemaResponse, { schema: JSON.stringify(schema) }),
    checkConfig: (request) => filled(proto.CheckResponse, { inputs: request.getNews() }),
    diffConfig: () => filled(proto.DiffResponse, { changes: DIFF_NONE }),
    configure: () => filled(proto.ConfigureResponse, { acceptsecrets: true, supportspreview: true }),
    check: (request) => filled(proto.CheckResponse, { inputs: checked(request) }),
    diff: (request) => diff(request.getOldInputs().toJavaScript(), request.getNews().toJavaScript()),
    create: (request) =>
        filled(proto.CreateResponse, {
            id: request.getPreview() ? "" : randomUUID(),
            properties: request.getProperties(),
        }),
    read: (request) =>
        filled(proto.ReadResponse, {
            id: request.getId(),
            properties: request.getProperties(),
            inputs: request.getInputs(),
        }),
    update: (request) => filled(proto.UpdateResponse, { properties: request.getNews() }),
    delete: () => new emptyProto.Empty(),
    cancel: () => new emptyProto.Empty(),
};

/** What the engine passes for a value that only `pulumi up` knows. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secretMark = "4dabf18193072939515e22adb298388d";

/**
 * Changes inputs like the Kubernetes provider: a Release in a preview lacks its unknown values, and another object gets
 * a name with a random end, or keeps its name.
 */
function checked(request) {
    const urn = request.getUrn();
    const inputs = request.getNews().toJavaScript();
    if (urn.includes("kubernetes:helm.sh/v3:Release::")) {
        return structProto.Struct.fromJavaScript(withoutUnknown(inputs));
    }
    const before = request.getOlds()?.toJavaScript().metadata?.name;
    const name = before ?? `${urn.split("::").at(-1)}-${randomUUID().slice(0, 8)}`;
    return structProto.Struct.fromJavaScript({ ...inputs, metadata: { name, ...inputs.metadata } });
}

function withoutUnknown(value) {
    if (typeof value !== "object" || value === null || secretMark in value) {
        return value;
    }
    if (Array.isArray(value)) {
        return value.map(withoutUnknown);
    }
    const known = Object.entries(value).filter(([, member]) => member !== unknown);
    return Object.fromEntries(known.map(([key, member]) => [key, withoutUnknown(member)]));
}

function diff(before, after) {
    const paths = changedPaths(before, after);
    const response = filled(proto.DiffResponse, { changes: paths.length > 0 ? DIFF_SOME : DIFF_NONE });
    for (const { path, change } of paths) {
        const replaces = replacing.includes(path);
        const kind = Kind[`${change}${replaces ? "_REPLACE" : ""}`];
        response.getDetaileddiffMap().set(path, filled(proto.PropertyDiff, { kind, inputdiff: true }));
        response.addDiffs(path.split(/[.[]/)[0]);
        if (replaces) {
            response.addReplaces(path);
        }
    }
    response.setHasdetaileddiff(true);
    return response;
}

function filled(Message, fields) {
    const message = new Message();
    for (const [name, value] of Object.entries(fields)) {
        message[`set${name[0].toUpperCase()}${name.slice(1)}`](value);
    }
    return message;
}

function methodNamed(name) {
    const work = methods[name];
    return ({ request }, answer) =>
        work
            ? answer(null, work(request))
            : answer({ code: status.UNIMPLEMENTED, details: `${name} is not implemented` });
}

const service = grpcProto.ResourceProviderService;
const server = new Server({ "grpc.max_receive_message_length": -1 });
server.addService(service, Object.fromEntries(Object.keys(service).map((name) => [name, methodNamed(name)])));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) {
        throw error;
    }
    // The engine reads the port from the first line.
    process.stdout.write(`${port}\n`);
});
