import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { pathFrom } from "../../../cli/src/init/path-from.js";

describe("A path in a program or a command", () => {
    for (const [folder, file, path, system] of [
        ["/work/site", "/work/site/chart", "./chart", posix],
        ["/work/site", "/work/chart", "../chart", posix],
        [String.raw`C:\work\site`, String.raw`C:\work\site\charts\a`, "./charts/a", win32],
        [String.raw`C:\work\site`, String.raw`C:\work\chart`, "../chart", win32],
        [String.raw`C:\work\site`, String.raw`D:\chart`, "D:/chart", win32],
    ] as const) {
        it(`has slashes on every system: ${file}`, () => {
            assert.equal(pathFrom(folder, file, system), path);
        });
    }
});
