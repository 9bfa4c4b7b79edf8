import assert from "node:assert/strict";
import { type BuildRequest } from "../../../service/src/builds/builder.js";
import { SkippedBuildError } from "../../../service/src/builds/build-failure.js";
import { hideValues } from "../../../service/src/builds/hidden-values.js";
import { readSiteBuild } from "../../../service/src/builds/site-build.js";

const token = "tok_abcdefghij0123456789";

/** A build whose lines are collected. */
function request(onLine: (line: string) => void): BuildRequest {
    const build = readSiteBuild("docs.example.com", true);
    assert.ok(build);
    const { signal } = new AbortController();
    return { ...{ jobId: "se_1", folder: "f", checkout: "f/site", sourceDir: "f/site", build, signal }, onLine };
}

/** The error of a build that fails with the given one. */
function failure(error: Error): Promise<unknown> {
    const failing = hideValues(
        [token],
        request(() => undefined),
        () => Promise.reject(error),
    );
    return failing.catch((thrown: unknown) => thrown);
}

describe("The values that logs hide", () => {
    it("are in no line about a build, also not in one of the service about the names of files", async () => {
        const lines: string[] = [];
        const build = request((line) => lines.push(line));
        const output = await hideValues([token], build, ({ onLine, jobId }) => {
            onLine(`Left out 1 links: ${JSON.stringify(`link-${token}`)}`);
            onLine("  a page");
            return Promise.resolve(`output of ${jobId}`);
        });
        assert.equal(output, "output of se_1");
        assert.deepEqual(lines, ['Left out 1 links: "link-***"', "  a page"]);
    });

    it("are not in the error of a build, nor in its causes", async () => {
        const error = await failure(new Error(`no folder ${token}`, { cause: new Error(token) }));
        assert.ok(error instanceof Error);
        assert.equal(error.message, "no folder ***");
        assert.equal(error.cause, undefined);
    });

    it("leave the other errors of a build as they are", async () => {
        const skipped = new SkippedBuildError();
        assert.equal(await failure(skipped), skipped);
    });
});
