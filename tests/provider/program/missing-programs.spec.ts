import assert from "node:assert/strict";
import { findMissingAwsSdk } from "../../../provider/src/program/find-missing-aws-sdk.js";
import { isOnPath } from "../../../provider/src/program/is-on-path.js";

describe("what a program needs beside the package", () => {
    it("names the packages of the AWS SDK that are missing, and the command that installs them", () => {
        assert.equal(
            findMissingAwsSdk((name) => {
                if (name.endsWith("client-s3")) {
                    throw new Error("Cannot find module");
                }
            }),
            "a mirror needs @aws-sdk/client-s3. Run `npm install @aws-sdk/client-s3` in the folder of your Pulumi program",
        );
        assert.equal(
            findMissingAwsSdk(() => ""),
            undefined,
        );
    });

    it("finds a command on PATH, and does not find one in a folder that PATH does not name", () => {
        assert.ok(isOnPath("node"));
        assert.ok(!isOnPath("node", { PATH: "/nowhere:" }));
    });
});
