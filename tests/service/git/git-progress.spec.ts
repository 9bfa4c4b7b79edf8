import assert from "node:assert/strict";
import { GitProgress, withoutProgress, withProgress } from "../../../service/src/git/git-progress.js";

const isIn = (...chunks: string[]): boolean[] => {
    const progress = new GitProgress();
    return chunks.map((chunk) => progress.isIn(Buffer.from(chunk)));
};

describe("Git's progress", () => {
    for (const line of [
        "Receiving objects:   3% (1/30), 1.20 MiB | 310.00 KiB/s\r",
        "Resolving deltas: 100% (2/2), done.\n",
        "Updating files:  22% (676/3003)\r",
        "Writing objects:   5% (1/20)\r",
    ]) {
        it(`is a count of git itself: ${JSON.stringify(line)}`, () => assert.deepEqual(isIn(line), [true]));
    }

    for (const line of [
        "remote: Counting objects:   1% (36/3552)        \r",
        "remote: Receiving objects: 3% (1/30)\n",
        "warning: redirecting\n",
        "Total 0 (delta 0), reused 0 (delta 0), pack-reused 0\n",
    ]) {
        it(`is not what the remote says, or another message: ${JSON.stringify(line)}`, () =>
            assert.deepEqual(isIn(line), [false]));
    }

    it("is found in lines that arrive in pieces, but never in the middle of a remote's line", () => {
        assert.deepEqual(isIn("Receiving obj", "ects:  3% (1/30)", "\r"), [false, false, true]);
        assert.deepEqual(isIn("remote: ", "Receiving objects:  3% (1/30)\r"), [false, false]);
        assert.deepEqual(isIn(`remote: ${"x".repeat(5000)}`, "\nReceiving objects:  3% (1/30)\r"), [false, true]);
        assert.deepEqual(isIn(`remote: ${"x".repeat(5000)}`, "Receiving objects:  3% (1/30)\r"), [false, false]);
    });

    it("is requested for the commands that report it", () => {
        assert.deepEqual(withProgress(["fetch", "--quiet", "origin"]), ["fetch", "--progress", "--quiet", "origin"]);
        assert.deepEqual(withProgress(["ls-remote", "origin"]), ["ls-remote", "origin"]);
    });

    it("is left out of messages", () => {
        const text = [
            "remote: Enumerating objects: 35, done.        ",
            "remote: Counting objects:   1% (1/35)        \rremote: Counting objects: 100% (35/35), done.        ",
            "remote: Repository is archived.        ",
            "Receiving objects:   3% (1/30)\rerror: RPC failed; curl 18 transfer closed",
            "fatal: early EOF",
        ].join("\n");
        assert.equal(
            withoutProgress(text),
            "remote: Repository is archived.\nerror: RPC failed; curl 18 transfer closed\nfatal: early EOF",
        );
    });
});
