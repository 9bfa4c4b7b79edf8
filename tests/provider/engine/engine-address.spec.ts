import assert from "node:assert/strict";
import * as internals from "@pulumi/pulumi/provider/internals.js";
import { parseEngineAddress } from "../../../provider/src/engine/engine-address.js";

/** Pulumi marks this function as internal, so Pulumi's types do not contain it. */
const { parseArgs } = internals as unknown as { parseArgs: (args: string[]) => { engineAddress: string } | undefined };
const address = "127.0.0.1:43210";

describe("the engine's address in a provider's arguments", () => {
    for (const args of [
        [address],
        ["--logtostderr", address],
        ["--logtostderr", "-v=9", address],
        ["--tracing", "http://127.0.0.1:4318", address],
        ["--logtostderr", "-v=3", "--tracing", "file:/tmp/up.trace", address, "/program"],
        ["--tracing", address],
        [],
    ]) {
        it(`equals the address that Pulumi's SDK finds: ${args.join(" ") || "no arguments"}`, () =>
            assert.equal(parseEngineAddress(args), parseArgs(args)?.engineAddress));
    }
});
