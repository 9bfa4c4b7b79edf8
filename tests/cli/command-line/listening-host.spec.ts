import assert from "node:assert/strict";
import { describeListenError } from "../../../cli/src/command-line/listening-host.js";

describe("A port that is reserved, as Hyper-V does on Windows", () => {
    it("is reported with what to do", () => {
        const error = Object.assign(new Error("listen EACCES: permission denied 127.0.0.1:8787"), {
            code: "EACCES",
            syscall: "listen",
        });
        assert.equal(
            describeListenError(error, { host: "127.0.0.1", port: 8787 }).message,
            "Port 8787 of 127.0.0.1 is reserved: choose another --port; 0 picks a free one. Ports below 1024 need " +
                "permission, and Windows reserves others for Hyper-V.",
        );
    });
});
