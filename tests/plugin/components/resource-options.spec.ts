import assert from "node:assert/strict";
import { type sendUnaryData, Server, ServerCredentials, type ServerUnaryCall } from "@grpc/grpc-js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb.js";
import kubernetes from "@pulumi/kubernetes/package.json" with { type: "json" };
import * as provider from "@pulumi/pulumi/proto/provider_pb.js";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import * as resource from "@pulumi/pulumi/proto/resource_pb.js";
import { siteType } from "@pulumi-static-export/contract";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb.js";
import { construct } from "../../../plugin/src/components/construct.js";

type Fields = Record<string, unknown>;

/** The fields of the request that describe the component and the run, and are not options. */
const context = [
    ...["project", "stack", "organization", "configMap", "configsecretkeysList", "dryrun", "parallel"],
    ...["monitorendpoint", "acceptsOutputValues", "inputs", "inputdependenciesMap"],
];
/** Options that the two messages name differently. */
const otherNames: Readonly<Record<string, string>> = {
    resourceHooks: "hooks",
    stackTraceHandle: "parentstacktracehandle",
};
/** Options that must be set for the engine to respect another option. */
const companions = { deletebeforereplacedefined: true };
const parent = "urn:pulumi:dev::docs::pkg:index:Parent::parent";

describe("resource options of the plugin's components", () => {
    let server: Server;
    let endpoint: string;
    const registered: resource.RegisterResourceRequest[] = [];

    before(async () => {
        server = new Server();
        server.addService(ResourceMonitorService, {
            registerResource(
                { request }: ServerUnaryCall<resource.RegisterResourceRequest, unknown>,
                answer: sendUnaryData<resource.RegisterResourceResponse>,
            ) {
                registered.push(request);
                const response = new resource.RegisterResourceResponse();
                response.setUrn(`urn:${request.getType()}`);
                answer(null, response);
            },
            registerResourceOutputs: (_: unknown, answer: sendUnaryData<Empty>) => answer(null, new Empty()),
        });
        const port = await new Promise<number>((resolve, reject) =>
            server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
                error ? reject(error) : resolve(bound),
            ),
        );
        endpoint = `127.0.0.1:${port}`;
    });
    after(() => server.forceShutdown());
    beforeEach(() => void registered.splice(0));

    function siteRequest(): provider.ConstructRequest {
        const request = new provider.ConstructRequest();
        request.setMonitorendpoint(endpoint);
        request.setType(siteType);
        request.setName("docs");
        const site = { domain: "docs.example.com", deploymentType: "cloud", chart: "oci://charts/docs" };
        request.setInputs(Struct.fromJavaScript({ ...site, chartVersion: "1" }));
        return request;
    }

    function requestWithEveryOption(): provider.ConstructRequest {
        const request = siteRequest();
        request.setParent(parent);
        request.getProvidersMap().set("kubernetes", "urn:provider::id");
        request.setDependenciesList(["urn:dependency"]);
        request.setProtect(true);
        request.setAdditionalsecretoutputsList(["release"]);
        const timeouts = new provider.ConstructRequest.CustomTimeouts();
        timeouts.setCreate("1h");
        timeouts.setUpdate("2h");
        timeouts.setDelete("3h");
        request.setCustomtimeouts(timeouts);
        request.setDeletedwith("urn:cluster");
        request.setDeletebeforereplace(true);
        request.setIgnorechangesList(["version"]);
        request.setReplaceonchangesList(["domain"]);
        request.setRetainondelete(true);
        const hooks = new provider.ConstructRequest.ResourceHooksBinding();
        hooks.setBeforeCreateList(["first"]);
        hooks.setOnErrorList(["last"]);
        request.setResourceHooks(hooks);
        request.setStackTraceHandle("trace");
        request.setReplaceWithList(["urn:certificate"]);
        const alias = new Alias();
        alias.setUrn("urn:earlier");
        request.setAliasesList([alias]);
        request.setReplacementTrigger(Value.fromJavaScript("again"));
        return request;
    }

    it("are all passed to the engine, including options that a later version of the engine adds", async () => {
        const request = requestWithEveryOption();
        const options = Object.entries(request.toObject() as Fields).filter(([name]) => !context.includes(name));
        const notSet = options.filter(([, value]) => [undefined, '""', "[]"].includes(JSON.stringify(value)));
        assert.deepEqual(notSet, [], "this spec sets every option: set the new one, and pass it on in construct.ts");
        await construct(request);
        const component = registered[0]?.toObject() as unknown as Fields;
        const wanted = { ...companions, ...rename(Object.fromEntries(options)) };
        assert.deepEqual(pick(component, Object.keys(wanted)), wanted);
    });

    it("are left to the engine if the program sets no options", async () => {
        await construct(siteRequest());
        const component = registered[0]!;
        const flags = [
            component.hasProtect(),
            component.hasRetainondelete(),
            component.getDeletebeforereplacedefined(),
        ];
        assert.deepEqual(flags, [false, false, false]);
        assert.equal(component.hasCustomtimeouts() || component.hasHooks(), false);
    });

    it("reach the resources: protection and deletion via the engine, timeouts and traces via the plugin", async () => {
        await construct(requestWithEveryOption());
        const [component, ...children] = registered;
        assert.equal(children.length, 3);
        for (const child of children) {
            // The engine copies these from the parent, unless the child sets them itself.
            assert.deepEqual(
                [child.hasProtect(), child.hasRetainondelete(), child.getDeletedwith()],
                [false, false, ""],
            );
            assert.equal(child.getParent(), `urn:${siteType}`);
            assert.deepEqual(child.getCustomtimeouts()?.toObject(), component!.getCustomtimeouts()?.toObject());
            assert.equal(child.getParentstacktracehandle(), "trace");
        }
    });

    it("set the tested provider version for Kubernetes resources", async () => {
        await construct(siteRequest());
        const versions = Object.fromEntries(registered.map((each) => [each.getType(), each.getVersion()]));
        assert.equal(versions["kubernetes:helm.sh/v3:Release"], kubernetes.version);
        assert.equal(versions["static-export:index:StaticExportBundle"], "");
    });
});

function rename(fields: Fields): Fields {
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [otherNames[name] ?? name, value]));
}

function pick(fields: Fields, names: readonly string[]): Fields {
    return Object.fromEntries(names.map((name) => [name, fields[name]]));
}
