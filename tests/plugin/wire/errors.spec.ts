import assert from "node:assert/strict";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { SavedFailure } from "pulumi-static-export/plugin-entry";
import { toCallError } from "../../../plugin/src/wire/unary.js";
import { decode } from "../../../plugin/src/wire/properties.js";

describe("a failure of the plugin", () => {
    it("is reported with its message but without a stack trace", () => {
        assert.deepEqual(toCallError(new Error("no key is set")), { code: 2, details: "no key is set" });
    });

    it("contains the state to save, with its secrets marked, if a job is pending", () => {
        const state: object = { domain: "a.example", pendingJobId: "se_1", bundleUrl: "https://x" };
        const failure = new SavedFailure("a.example", state, new Error("timed out"));
        const { details, metadata } = toCallError(failure, new Set(["bundleUrl"]));
        assert.equal(details, "timed out");
        const bytes = metadata?.get("grpc-status-details-bin")[0] as Buffer;
        const [detail] = Status.deserializeBinary(bytes).getDetailsList();
        const saved = ErrorResourceInitFailed.deserializeBinary(detail!.getValue_asU8());
        assert.equal(saved.getId(), "a.example");
        assert.deepEqual(saved.getReasonsList(), ["timed out"]);
        const { values, secrets } = decode(saved.getProperties());
        assert.deepEqual(values, state);
        assert.deepEqual([...secrets], ["bundleUrl"]);
    });
});
