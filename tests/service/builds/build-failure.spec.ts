import assert from "node:assert/strict";
import { adviceOnPackages, explainFailure } from "../../../service/src/builds/build-failure.js";

describe("The advice on a build that misses packages", () => {
    it("names NODE_ENV=production, with which package managers leave out devDependencies", () => {
        const [advice = ""] = adviceOnPackages("sh: 1: vitepress: not found", "production");
        assert.match(advice, /^With NODE_ENV=production, package managers leave out devDependencies, /);
        assert.equal(adviceOnPackages("Error: Cannot find module 'vite'", "production").length, 1);
    });

    it("is not given for other failures, or for another value", () => {
        assert.deepEqual(adviceOnPackages("Error: a broken link", "production"), []);
        assert.deepEqual(adviceOnPackages("sh: 1: vitepress: not found", "development"), []);
        assert.deepEqual(adviceOnPackages("sh: 1: vitepress: not found", undefined), []);
    });
});

describe("The reason of a failed build", () => {
    const limits = { memoryMegabytes: 2048, timeoutSeconds: 900 };

    it("names the limit of disk also for a file that is larger than the limit", () => {
        const text = explainFailure("exited with code 153", "File size limit exceeded", limits);
        assert.match(text, /raise build\.diskMegabytes or build\.maxFiles\./);
    });

    it("names the disk of the service if it had less room than the build's limit", () => {
        const text = explainFailure("exited with code 1", "cp: No space left on device", limits, [], 40);
        assert.match(text, /^The build exited with code 1\. The service's disk had room for only 40 MB of the build's/);
        assert.doesNotMatch(text, /raise/);
    });
});
