import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import structPb from "google-protobuf/google/protobuf/struct_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import { waitUntil } from "../../wait-until.js";
import { PluginFolder } from "./support/plugin-folder.js";

const urn = "urn:pulumi:dev::e2e::static-export:index:StaticExportBundle::docs";

describe("read requests to the plugin", () => {
    let plugin: PluginFolder;
    let child: ChildProcess;
    let client: providerGrpc.ResourceProviderClient;
    /** A platform that never responds. */
    let silent: Server;

    before(async () => {
        silent = createServer(() => undefined);
        await once(silent.listen(0, "127.0.0.1"), "listening");
        plugin = await PluginFolder.create();
        const env = { ...process.env, STATIC_EXPORT_JOURNAL_DIR: join(plugin.folder, "journal") };
        const command = join(plugin.folder, "pulumi-resource-static-export");
        child = spawn(command, { stdio: ["ignore", "pipe", "inherit"], env });
        const [port] = (await once(createInterface(child.stdout!), "line")) as [string];
        client = new providerGrpc.ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
        const request = new providerPb.ConfigureRequest();
        const { port: silentPort } = silent.address() as AddressInfo;
        const settings = { baseUrl: `http://127.0.0.1:${silentPort}`, adminApiKey: "test_0123456789" };
        request.setArgs(structPb.Struct.fromJavaScript(settings));
        await new Promise<void>((resolve, reject) =>
            client.configure(request, (error) => (error ? reject(error) : resolve())),
        );
    });
    after(async () => {
        client.close();
        const exited = once(child, "exit");
        child.kill();
        // While it runs, it may still write files that it has compiled into its folder.
        await exited;
        silent.closeAllConnections();
        silent.close();
        await plugin.remove();
    });

    /** @param state - empty for an import */
    function failureOf(id: string, state: Record<string, string> = {}): Promise<ServiceError | null> {
        const request = new providerPb.ReadRequest();
        request.setUrn(urn);
        request.setId(id);
        request.setProperties(structPb.Struct.fromJavaScript(state));
        return new Promise((resolve) =>
            client.read(request, new Metadata(), { deadline: Date.now() + 60_000 }, resolve),
        );
    }

    it("fail for an id of 100,000 characters, with a message that every client can read", async () => {
        const error = await failureOf("a".repeat(100_000));
        assert.match(error?.details ?? "", /^a+… does not name an export\. Import it as DOMAIN\/JOB/);
        assert.ok((error?.details.length ?? Infinity) < 1000);
    });

    it("stop when an import or a refresh is cancelled", async () => {
        let asked = 0;
        silent.on("request", () => (asked += 1));
        const id = "docs.example.com/se_42";
        const failures = [failureOf(id), failureOf("docs.example.com", { domain: "docs.example.com", jobId: "se_42" })];
        await waitUntil("both have asked the platform", () => asked === failures.length);
        await new Promise((resolve) => client.cancel(new emptyPb.Empty(), resolve));
        for (const failure of failures) {
            assert.match((await failure)?.details ?? "", /the run was cancelled/);
        }
    });
});
