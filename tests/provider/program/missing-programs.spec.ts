import assert from "node:assert/strict";
import {
    findMissingAwsSdk,
    findMissingAzureSdk,
    findMissingS3Client,
} from "../../../provider/src/program/find-missing-sdk.js";
import { isOnPath } from "../../../provider/src/program/is-on-path.js";

describe("the check for missing dependencies of a program", () => {
    it("names the missing packages of the AWS SDK and the command that installs them", () => {
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

    it("names only the client for a site in a bucket, which needs no presigner", () => {
        const missing = (name: string) => {
            throw new Error(`Cannot find module ${name}`);
        };
        assert.match(findMissingS3Client(missing) ?? "", /^a bucket needs @aws-sdk\/client-s3\. Run `npm install @aws/);
    });

    it("names the missing package of the Azure SDK", () => {
        const missing = () => {
            throw new Error("Cannot find module");
        };
        assert.match(findMissingAzureSdk(missing) ?? "", /^a container of Azure needs @azure\/storage-blob\. Run `npm/);
        assert.equal(
            findMissingAzureSdk(() => ""),
            undefined,
        );
    });

    it("searches for a command on PATH only", () => {
        assert.ok(isOnPath("node"));
        assert.ok(!isOnPath("node", { PATH: "/nowhere:" }));
    });
});
