import assert from "node:assert/strict";
import { describePodError, PodError } from "../../../sdk/src/pod/pod-error.js";

describe("The text about a pod that does not start", () => {
    it("is the reason with its advice", () => {
        assert.equal(
            describePodError(new PodError("The link has expired.", "Update.")),
            "The link has expired. Update.",
        );
        assert.equal(describePodError(new PodError("The link has expired.")), "The link has expired.");
    });

    it("shows of other errors only which call failed and how, because their text may contain a link", () => {
        const full = Object.assign(new Error("ENOSPC: /site?X-Amz-Signature=5ignature"), { code: "ENOSPC" });
        const known = Object.assign(new Error("5ignature"), { code: "ENOSPC", syscall: "write" });
        assert.equal(describePodError(full), "The site could not be prepared: Error failed with ENOSPC.");
        assert.equal(describePodError(known), "The site could not be prepared: write failed with ENOSPC.");
        assert.equal(describePodError(new TypeError("5ignature")), "The site could not be prepared: TypeError.");
    });
});
