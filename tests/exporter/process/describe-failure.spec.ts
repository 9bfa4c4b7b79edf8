import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { CurrentPageWriter } from "../../../exporter/src/process/current-page.js";
import { describeFailure } from "../../../exporter/src/process/describe-failure.js";
import { withFolder } from "../support/site-fixture.js";

describe("A limit of the machine or the process", () => {
    for (const [code, message] of [
        ["ENOSPC", /^The disk is full: free space on it, then start a new export\.$/],
        ["EMFILE", /^Too many files are open: raise the limit of open files \(ulimit -n\), then start/],
        ["ENFILE", /^Too many files are open on this machine: raise fs\.file-max, then start/],
        [
            "EAGAIN",
            /^Too many processes are running: raise the limit of processes \(ulimit -u, or the container's pids\), then/,
        ],
        ["EFBIG", /^A file is larger than this process may write: raise the limit of file sizes \(ulimit -f\), then/],
    ] as const) {
        it(`is named with its remedy, and its error is for the log: ${code}`, () => {
            const error = Object.assign(new Error(`${code}: write`), { code });
            const failure = describeFailure(error, { workDir: tmpdir() });
            assert.match(failure.message, message);
            assert.match(failure.detail ?? "", new RegExp(`${code}: write`));
        });
    }
});

describe("A page that is nested too deeply", () => {
    it("is named without the calls of the export", async () => {
        await withFolder((workDir) => {
            const writer = new CurrentPageWriter(workDir);
            writer.set("a.md");
            writer.close();
            const error = new RangeError("Maximum call stack size exceeded");
            assert.deepEqual(describeFailure(error, { workDir }), {
                message: "a.md: its content is nested too deeply: use fewer levels",
            });
            return Promise.resolve();
        });
    });
});
