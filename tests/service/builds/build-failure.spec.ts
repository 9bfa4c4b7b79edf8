import assert from "node:assert/strict";
import { adviceOnPackages, buildError, SkippedBuildError } from "../../../service/src/builds/build-failure.js";

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
    const limits = {
        ...{ memoryMegabytes: 2048, timeoutSeconds: 900, diskMegabytes: 300, maxFiles: 1000, maxProcesses: 50 },
        ...{ cacheMegabytes: 1024, historyCommits: 1000 },
    };
    const reasonOf = (failure: string, logEnd = "", roomMegabytes?: number) =>
        buildError(failure, logEnd, limits, [], roomMegabytes).message;

    it("names the limit that the build has reached, with its unit and its key", () => {
        const reasons = [
            ["used more than 2048 MB of memory", "build.memoryMegabytes"],
            ["used more than 300 MB of disk", "build.diskMegabytes"],
            ["created more than 1000 files", "build.maxFiles"],
            ["started more than 50 processes", "build.maxProcesses"],
            ["did not end within 900 s", "build.timeoutSeconds"],
        ];
        for (const [did = "", key] of reasons) {
            assert.equal(
                reasonOf(did, "Killed"),
                `The build ${did}. Raise ${key} in the sites file. Its log ends with: Killed`,
            );
        }
    });

    it("names the whole time limit, of which an installation has used a part", () => {
        assert.match(reasonOf("did not end within 12 s"), /^The build did not end within 900 s\. Raise build\.timeout/);
    });

    it("names a limit that the build's log speaks of", () => {
        assert.match(
            reasonOf("exited with code 153", "File size limit exceeded"),
            /It may have written a file larger than 300 MB: raise build\.diskMegabytes in the sites file\./,
        );
        assert.match(
            reasonOf("exited with code 1", "cp: No space left on device"),
            /more disk than 300 MB, or more files than 1000: raise build\.diskMegabytes or build\.maxFiles in the/,
        );
        assert.match(reasonOf("exited with code 137"), /more memory than 2048 MB: raise build\.memoryMegabytes in/);
    });

    it("does not name limits that a pod does not have", () => {
        const { maxFiles: _files, maxProcesses: _processes, ...ofPods } = limits;
        const { message } = buildError("exited with code 1", "fork: Cannot fork. No space left on device", ofPods);
        assert.match(message, /more disk than 300 MB: raise build\.diskMegabytes in the sites file\./);
        assert.doesNotMatch(message, /maxFiles|processes/);
    });

    it("names the disk of the service if it had less room than the build's limit", () => {
        for (const failure of ["exited with code 1", "used more than 40 MB of disk"]) {
            const text = reasonOf(failure, "cp: No space left on device", 40);
            assert.match(text, /\. The service's disk had room for only 40 MB of the build's/);
            assert.doesNotMatch(text, /raise/i);
        }
    });

    it("is that the build skips its commit after the exit code 183, but not if it has reached a limit", () => {
        assert.ok(buildError("exited with code 183", "nothing to do", limits) instanceof SkippedBuildError);
        assert.ok(
            !(buildError("used more than 300 MB of disk", "exited with code 183", limits) instanceof SkippedBuildError),
        );
    });
});
