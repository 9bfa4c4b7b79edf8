import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { redact, resource, secret, stateOf } from "../support/stack-states.js";

describe("a redacted state with a random key that a provider shows in several encodings", () => {
    const bytes = createHash("sha256").update("random").digest();
    const hex = bytes.toString("hex");
    const id = bytes.toString("base64url");
    const outputs = { b64Std: bytes.toString("base64"), b64Url: id, hex, dec: BigInt(`0x${hex}`).toString() };

    for (const marked of ["b64Std", "b64Url", "hex"] as const) {
        it(`contains none of them if the program marked one: ${marked}`, () => {
            const { resources } = redact(
                stateOf([
                    resource("stack", "random-id", { id, outputs }),
                    resource("release", "docs", { inputs: { values: { key: secret(outputs[marked]) } } }),
                ]),
            );
            const left = Object.values(outputs).filter((text) => JSON.stringify(resources).includes(text));
            assert.deepEqual(left, []);
        });
    }

    it("preserves numbers if a secret is the key of zeros", () => {
        const zeros = resource("release", "docs", { inputs: { port: 80, key: secret("0".repeat(32)) } });
        assert.equal(redact(stateOf([zeros])).resources[0]?.["inputs"]?.["port"], 80);
    });
});
