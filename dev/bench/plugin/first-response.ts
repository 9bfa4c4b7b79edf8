import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";

/**
 * Starts our plugin for the first time on this machine, and waits until it has saved V8's compiled code for later
 * starts.
 */
export async function startFirst(command: string): Promise<void> {
    const plugin = spawn(command, [], { stdio: "ignore" });
    try {
        for await (const { filename } of watch(dirname(command))) {
            if (filename?.endsWith(".cache")) {
                return;
            }
        }
    } finally {
        plugin.kill();
    }
}

/** Starts a plugin, and returns the time until its first response. */
export async function timeToFirstResponse(command: string): Promise<number> {
    const startedMs = performance.now();
    const plugin = spawn(command, [], { stdio: ["ignore", "pipe", "inherit"] });
    try {
        const client = new providerGrpc.ResourceProviderClient(await addressOf(plugin), credentials.createInsecure());
        await new Promise<void>((resolve, reject) =>
            client.getPluginInfo(new emptyPb.Empty(), (error) => (error ? reject(error) : resolve())),
        );
        client.close();
        return performance.now() - startedMs;
    } finally {
        plugin.kill();
    }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
    const [port] = (await once(createInterface(stdout!), "line")) as [string];
    return `127.0.0.1:${port}`;
}
